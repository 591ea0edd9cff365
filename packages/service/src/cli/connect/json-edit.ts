import { isDeepStrictEqual } from 'node:util';
import { CannotConnect } from './change.ts';
import { type JsonNode, jsonValue, memberOf, parseJson } from './json-tree.ts';

/** One thing in a JSON file that is ours: a member of an object (`key`), or an item of a list. */
export type Ours = {
  /** Keys from the root to the object or list that holds it. Those that are missing are made. */
  path: readonly string[];
  key?: string;
  value: unknown;
  /** How it is known again, whatever an earlier version wrote. */
  isOurs: (value: unknown) => boolean;
};

const byteOrderMark = '\uFEFF';

/**
 * Puts what is ours into a JSON text, comments and layout kept, so that `withoutOurs` gives the text back to the byte.
 * It goes first into what holds it, and its form tells how that was found: followed by a comma where there were others, right
 * behind the bracket where there was nothing, on a line of its own where we made the holder too.
 */
export function withOurs(file: string, text: string | null, ours: readonly Ours[]): string {
  if (text === null) return `${made(ours, '  ')}\n`;
  // Indented by one blank: so the file that was empty is told from the one that was not there.
  if (text.trim() === '') return made(ours, ' ') + text;
  if (holdsAll(rootOf(file, text), ours)) return text;
  const bare = withoutOurs(file, text, ours) ?? '';
  if (bare === '') return withOurs(file, null, ours);
  const mark = bare.startsWith(byteOrderMark) ? byteOrderMark : '';
  return mark + ours.toReversed().reduce((body, one) => insert(file, body, one), bare.slice(mark.length));
}

/** Null when the file was made for what is ours. A file that cannot be read is left alone unless it names us. */
export function withoutOurs(file: string, text: string, ours: readonly Ours[]): string | null {
  if (parseJson(plain(text)) === null && !text.includes('signalbox')) return text;
  let body: string | null = text;
  for (const { path, isOurs, key } of ours) {
    for (;;) {
      if (body === null || body.trim() === '') return body;
      const holders = holdersOf(rootOf(file, body), path);
      const at = partsOf(holders?.at(-1)).findIndex(
        (part) => (key === undefined || part.key === key) && isOurs(jsonValue(part.value)),
      );
      if (!holders || at < 0) break;
      body = cutPart(body, holders, at);
    }
  }
  return body;
}

const plain = (text: string): string => (text.startsWith(byteOrderMark) ? ` ${text.slice(1)}` : text);

function rootOf(file: string, text: string): JsonNode {
  const root = parseJson(plain(text));
  if (root?.kind === 'object') return root;
  throw new CannotConnect(`${file} is not a JSON object that can be read. Repair it first; nothing was written.`);
}

type Part = { key?: string; value: JsonNode; start: number; end: number };

function partsOf(node: JsonNode | undefined): readonly Part[] {
  if (node?.kind === 'object') return node.members;
  return node?.kind === 'array' ? node.items.map((value) => ({ value, start: value.start, end: value.end })) : [];
}

/** The objects from the root down to the holder; null when it is not there. */
function holdersOf(root: JsonNode, path: readonly string[]): JsonNode[] | null {
  const holders = [root];
  for (const key of path) {
    const next = memberOf(holders.at(-1), key)?.value;
    if (!next) return null;
    holders.push(next);
  }
  return holders;
}

function holdsAll(root: JsonNode, ours: readonly Ours[]): boolean {
  return ours.every(({ path, key, isOurs }) => {
    const held = partsOf(holdersOf(root, path)?.at(-1)).filter(
      (part) => (key === undefined || part.key === key) && isOurs(jsonValue(part.value)),
    );
    const wanted = ours.filter((one) => one.path === path && one.key === key && one.isOurs === isOurs);
    return (
      held.length === wanted.length &&
      held.every((part, at) => isDeepStrictEqual(jsonValue(part.value), wanted[at]?.value))
    );
  });
}

/** A whole file of what is ours. */
function made(ours: readonly Ours[], unit: string): string {
  const root = {};
  for (const { path, key, value } of ours) {
    let holder: Record<string, unknown> = root;
    for (const [at, name] of path.entries()) {
      const isList = at === path.length - 1 && key === undefined;
      holder[name] ??= isList ? [] : {};
      holder = holder[name] as Record<string, unknown>;
    }
    if (key === undefined) (holder as unknown as unknown[]).push(value);
    else holder[key] = value;
  }
  return JSON.stringify(root, null, unit);
}

function insert(file: string, text: string, { path, key, value }: Ours): string {
  let holder = rootOf(file, text);
  for (const [at, name] of path.entries()) {
    const next = memberOf(holder, name)?.value;
    if (!next) {
      const rest = path.slice(at + 1);
      const inner = key === undefined ? [value] : { [key]: value };
      return putFirst(
        text,
        holder,
        name,
        rest.reduceRight<unknown>((below, each) => ({ [each]: below }), inner),
      );
    }
    holder = next;
    const wanted = at === path.length - 1 && key === undefined ? 'array' : 'object';
    if (holder.kind !== wanted) {
      throw new CannotConnect(
        `"${path.slice(0, at + 1).join('.')}" in ${file} is not ${wanted === 'array' ? 'a list' : 'an object'}. Repair it first; nothing was written.`,
      );
    }
  }
  return putFirst(text, holder, key, value);
}

function putFirst(text: string, holder: JsonNode, key: string | undefined, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [first] = partsOf(holder);
  const lead = first ? leadOf(text, holder, first, eol) : '';
  const indent = lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : indentAt(text, holder.start);
  const json = JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eol + indent);
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const at = holder.start + 1;
  return `${text.slice(0, at)}${lead}${name}${json}${first ? ',' : ''}${text.slice(at)}`;
}

/** What stands before the first part, taken over for ours: a line of its own, or what keeps it on the line. */
function leadOf(text: string, holder: JsonNode, first: Part, eol: string): string {
  const before = text.slice(text.lastIndexOf('\n', first.start - 1) + 1, first.start);
  const ownLine = before.trim() === '' && text.lastIndexOf('\n', first.start - 1) > holder.start;
  return ownLine ? eol + before : text[holder.start + 1] === ' ' ? ' ' : '';
}

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at) + 1))?.[0] ?? '';
const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';

/** The other way round. What was laid out anew since is cut as well as can be. */
function cutPart(text: string, holders: readonly JsonNode[], at: number): string | null {
  const holder = holders.at(-1) as JsonNode;
  const parts = partsOf(holder);
  const part = parts[at] as Part;
  const inside = holder.start + 1;
  if (at > 0) return cut(text, parts[at - 1]?.end ?? inside, part.end);
  if (parts.length > 1)
    return text[part.end] === ','
      ? cut(text, inside, part.end + 1)
      : cut(text, part.start, parts[1]?.start ?? part.end);
  const before = text.slice(inside, part.start);
  const after = text.slice(part.end, holder.end - 1);
  if (before === '' || before.trim() !== '' || after.trim() !== '' || !before.includes('\n')) {
    return cut(text, before.trim() === '' ? inside : part.start, part.end);
  }
  const above = holders.slice(0, -1);
  if (above.length > 0)
    return cutPart(
      text,
      above,
      partsOf(above.at(-1)).findIndex(({ value }) => value === holder),
    );
  if (text.slice(0, holder.start).trim() !== '' || text.slice(holder.end).trim() !== '')
    return cut(text, inside, part.end);
  return before === '\n ' ? text.slice(holder.end) : null;
}

const cut = (text: string, from: number, to: number): string => text.slice(0, from) + text.slice(to);
