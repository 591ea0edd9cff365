/** How a command is called over REST. */
export type Route = {
  method: string;
  /** `{member}` takes its value from the path. */
  path: string;
  /** Members that come from the query; for a GET, all members that are not in the path. */
  query?: readonly string[];
  /** The one member that is the whole body. */
  body?: string;
  /** The media type of a body that is text. */
  textType?: string;
  /** The answer is a document: it is returned as text, even if it is JSON. */
  document?: true;
  /** A write that may be repeated safely. */
  repeatable?: true;
  /** A status above 2xx that is a normal answer. */
  also?: number;
};

export type RestRequest = { method: string; path: string; body: string | undefined; mediaType: string };

/** Builds the request for a call from its flat input; `part` writes a name into the path. */
export function restRequest(
  route: Route,
  input: object,
  part: (name: string) => string = encodeURIComponent,
): RestRequest {
  const left: Record<string, unknown> = { ...input };
  const take = (member: string): unknown => {
    const value = left[member];
    delete left[member];
    return value;
  };
  const path = route.path.replace(/\{(\w+)\}/g, (_, member: string) => part(String(take(member))));
  const query = (route.method === 'GET' ? Object.keys(left) : (route.query ?? [])).flatMap((member) =>
    [take(member)].flat().flatMap((value) => (value === undefined || value === null ? [] : [queryPart(member, value)])),
  );
  const whole = route.body === undefined ? left : left[route.body];
  const empty = whole === undefined || (route.body === undefined && Object.keys(left).length === 0);
  const hasBody = route.method !== 'GET' && !(empty && route.method === 'DELETE') && whole !== undefined;
  return {
    method: route.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    // A text document is sent unchanged.
    body: hasBody ? (typeof whole === 'string' ? whole : JSON.stringify(whole)) : undefined,
    mediaType: typeof whole === 'string' ? (route.textType ?? 'application/json') : 'application/json',
  };
}

const queryPart = (name: string, value: unknown): string => `${name}=${encodeURIComponent(String(value))}`;
