import type { AnyCommand } from '../kernel/command.ts';

export type RestRequest = { method: string; path: string; body: string | undefined; mediaType: string };

/**
 * The request that a command's REST entry describes, built from the flat input that every door shares; `part` writes a
 * name into its address.
 */
export function restRequest(
  { rest, name }: AnyCommand<never>,
  input: Readonly<Record<string, unknown>>,
  part: (name: string) => string = encodeURIComponent,
): RestRequest {
  if (!rest) throw new Error(`${name} has no REST door`);
  const left: Record<string, unknown> = { ...input };
  const take = (member: string): unknown => {
    const value = left[member];
    delete left[member];
    return value;
  };
  const path = rest.path.replace(/\{(\w+)\}/g, (_, member: string) => part(String(take(member))));
  const query = new URLSearchParams();
  for (const member of rest.method === 'GET' ? Object.keys(left) : (rest.query ?? [])) {
    const value = take(member);
    if (value !== undefined) for (const one of [value].flat()) query.append(member, String(one));
  }
  const whole = rest.body === undefined ? left : left[rest.body];
  const empty = whole === undefined || (rest.body === undefined && Object.keys(left).length === 0);
  const hasBody = rest.method !== 'GET' && !(empty && rest.method === 'DELETE') && whole !== undefined;
  return {
    method: rest.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    // A document that is text goes as what it is.
    body: hasBody ? (typeof whole === 'string' ? whole : JSON.stringify(whole)) : undefined,
    mediaType: typeof whole === 'string' ? (rest.accepts?.[0] ?? 'application/json') : 'application/json',
  };
}
