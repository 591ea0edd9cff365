import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { isObject } from '../../kernel/is-object.ts';
import { CannotConnect } from './change.ts';

/** One of our parts in a JSON file: a member of an object (`key`), or an item of a list. */
export type Ours = {
  /** Keys from the root to the object or list that holds it. Missing ones are created. */
  path: readonly string[];
  key?: string;
  value: unknown;
  /** Recognises our part, including those that earlier versions wrote. */
  isOurs: (value: unknown) => boolean;
};

const byteOrderMark = '\uFEFF';

/**
 * Adds our parts to a JSON text and keeps its comments and layout, so that `withoutOurs` restores the text byte for byte,
 * which the edits of `jsonc-parser` do not. A part becomes the first of its holder. Its layout records what was there
 * before: followed by a comma if the holder had other parts, directly after the bracket if it was empty, on its own line
 * if we created the holder.
 */
export function withOurs(file: string, text: string | null, ours: readonly Ours[]): string {
  if (text === null) return `${made(ours, '  ')}\n`;
  // Indented by one space, which distinguishes a file that was empty from one that did not exist.
  if (text.trim() === '') return made(ours, ' ') + text;
  if (holdsAll(rootOf(file, text), ours)) return text;
  const bare = withoutOurs(file, text, ours) ?? '';
  if (bare === '') return withOurs(file, null, ours);
  const mark = bare.startsWith(byteOrderMark) ? byteOrderMark : '';
  return mark + ours.toReversed().reduce((body, one) => insert(file, body, one), bare.slice(mark.length));
}

/** Null if the file was created for our part. An unreadable file is not changed unless it mentions Signalbox. */
export function withoutOurs(file: string, text: string, ours: readonly Ours[]): string | null {
  if (parsed(text) === undefined && !text.includes('signalbox')) return text;
  let body: string | null = text;
  for (const { path, isOurs, key } of ours) {
    for (;;) {
      if (body === null || body.trim() === '') return body;
      const holders = holdersOf(rootOf(file, body), path);
      const at = partsOf(holders?.at(-1)).findIndex(
        (part) => (key === undefined || part.key === key) && isOurs(nodeValue(part.value)),
      );
      if (!holders || at < 0) break;
      body = cutPart(body, holders, at);
    }
  }
  return body;
}

/** `undefined` for a text that is not JSON, comments and trailing commas aside. */
function parsed(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const plain = text.startsWith(byteOrderMark) ? ` ${text.slice(1)}` : text;
  try {
    const root = parseTree(plain, errors, { allowTrailingComma: true });
    return errors.length === 0 ? root : undefined;
  } catch (fault) {
    // Nested too deeply for the parser's recursion.
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

function rootOf(file: string, text: string): Node {
  const root = parsed(text);
  if (root?.type === 'object') return root;
  throw new CannotConnect(`${file} is not a valid JSON object. Correct it first; nothing was written.`);
}

/** A member of an object, spanning key and value, or an item of a list. */
type Part = { key?: string; value: Node; start: number; end: number };

const partsOf = (node: Node | undefined): Part[] =>
  (node?.children ?? []).flatMap((child) => {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    const span = { start: child.offset, end: endOf(child) };
    return value === undefined ? [] : [{ ...(key && { key: String(key.value) }), value, ...span }];
  });

/** The parser creates objects without a prototype, which never equal a literal. */
const nodeValue = (node: Node): unknown => structuredClone(getNodeValue(node));

const endOf = ({ offset, length }: Node): number => offset + length;

/** If several members have one name, the last counts, as for every JSON parser. */
const memberOf = (node: Node | undefined, name: string): Node | undefined =>
  partsOf(node).findLast(({ key }) => key === name)?.value;

/** The objects from the root down to the holder; null if there is none. */
function holdersOf(root: Node, path: readonly string[]): Node[] | null {
  const holders = [root];
  for (const key of path) {
    const next = memberOf(holders.at(-1), key);
    if (!next) return null;
    holders.push(next);
  }
  return holders;
}

function holdsAll(root: Node, ours: readonly Ours[]): boolean {
  return ours.every(({ path, key, isOurs }) => {
    const held = partsOf(holdersOf(root, path)?.at(-1)).filter(
      (part) => (key === undefined || part.key === key) && isOurs(nodeValue(part.value)),
    );
    const wanted = ours.filter((one) => one.path === path && one.key === key && one.isOurs === isOurs);
    return (
      held.length === wanted.length &&
      held.every((part, at) => isDeepStrictEqual(nodeValue(part.value), wanted[at]?.value))
    );
  });
}

/** A new file with only our parts. */
function made(ours: readonly Ours[], unit: string): string {
  const root: Record<string, unknown> = {};
  for (const { path, key, value } of ours) {
    const [last = '', ...above] = key === undefined ? path.toReversed() : [key, ...path.toReversed()];
    let holder = root;
    for (const name of above.toReversed()) {
      const known = holder[name];
      const inner = isObject(known) ? known : {};
      holder[name] = inner;
      holder = inner;
    }
    const list = holder[last];
    holder[last] = key !== undefined ? value : Array.isArray(list) ? [...list, value] : [value];
  }
  return JSON.stringify(root, null, unit);
}

function insert(file: string, text: string, { path, key, value }: Ours): string {
  let holder = rootOf(file, text);
  for (const [at, name] of path.entries()) {
    const next = memberOf(holder, name);
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
    if (holder.type !== wanted) {
      throw new CannotConnect(
        `"${path.slice(0, at + 1).join('.')}" in ${file} is not ${wanted === 'array' ? 'a list' : 'an object'}. Correct it first; nothing was written.`,
      );
    }
  }
  return putFirst(text, holder, key, value);
}

function putFirst(text: string, holder: Node, key: string | undefined, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [first] = partsOf(holder);
  const lead = first ? leadOf(text, holder, first, eol) : '';
  const indent = lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : indentAt(text, holder.offset);
  const json = JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eol + indent);
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const at = holder.offset + 1;
  return `${text.slice(0, at)}${lead}${name}${json}${first ? ',' : ''}${text.slice(at)}`;
}

/** The whitespace before the first part, reused for ours: a separate line, or the space that keeps it on the line. */
function leadOf(text: string, holder: Node, first: Part, eol: string): string {
  const before = text.slice(text.lastIndexOf('\n', first.start - 1) + 1, first.start);
  const ownLine = before.trim() === '' && text.lastIndexOf('\n', first.start - 1) > holder.offset;
  return ownLine ? eol + before : text[holder.offset + 1] === ' ' ? ' ' : '';
}

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at) + 1))?.[0] ?? '';
const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';

/** Reverts `insert`; best effort if the file was reformatted since. */
function cutPart(text: string, holders: readonly Node[], at: number): string | null {
  const holder = holders.at(-1);
  const parts = partsOf(holder);
  const part = parts[at];
  if (!holder || !part) return text;
  const inside = holder.offset + 1;
  if (at > 0) return cut(text, parts[at - 1]?.end ?? inside, part.end);
  if (parts.length > 1)
    return text[part.end] === ','
      ? cut(text, inside, part.end + 1)
      : cut(text, part.start, parts[1]?.start ?? part.end);
  const before = text.slice(inside, part.start);
  const after = text.slice(part.end, endOf(holder) - 1);
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
  if (text.slice(0, holder.offset).trim() !== '' || text.slice(endOf(holder)).trim() !== '')
    return cut(text, inside, part.end);
  return before === '\n ' ? text.slice(endOf(holder)) : null;
}

const cut = (text: string, from: number, to: number): string => text.slice(0, from) + text.slice(to);
