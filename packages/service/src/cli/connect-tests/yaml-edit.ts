import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { CannotConnect } from '../connect/change.ts';
import { indentAt, lineEndOf, type TextEdit } from './text-edit.ts';

export type YamlTree = { text: string; root: YAMLMap };

/** An empty file has no position to insert at, so its first key is written as plain text. */
export function parseYaml(path: string, text: string): YamlTree {
  const document = parseDocument(text);
  if (document.errors.length === 0 && isMap(document.contents) && document.contents.items.length > 0)
    return { text, root: document.contents };
  throw new CannotConnect(`${path} is not a valid YAML object. Correct it first; nothing was written.`);
}

const keyOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : '');
export const yamlMember = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.find((pair) => keyOf(pair) === key);

/** Adds a key before the first one; `value` is the text after its colon, each line with its indent. */
export function yamlMemberEdit({ text }: YamlTree, map: YAMLMap, key: string, value: readonly string[]): TextEdit {
  const [first] = map.items;
  const start = isScalar(first?.key) ? (first.key.range?.[0] ?? 0) : 0;
  if (map.flow) return { start, end: start, text: `${key}: ${value.join(' ').trim()}, ` };
  const indent = indentAt(text, start);
  const eol = lineEndOf(text);
  return { start, end: start, text: `${key}:${value.join(eol + indent)}${eol}${indent}` };
}

export function yamlItemEdit({ text }: YamlTree, list: YAMLSeq, item: string): TextEdit {
  const first = list.items[0] as { range?: [number, number, number] } | undefined;
  const start = first?.range?.[0] ?? list.range?.[0] ?? 0;
  if (list.flow) {
    const inside = (list.range?.[0] ?? 0) + 1;
    return { start: inside, end: inside, text: first ? `${item}, ` : item };
  }
  const dash = text.lastIndexOf('-', start);
  return { start: dash, end: dash, text: `- ${item}${lineEndOf(text)}${indentAt(text, dash)}` };
}

/** Adds an item to the list at `path`; creates a missing list. */
export function yamlListEdits(file: string, tree: YamlTree, path: readonly string[], item: string): TextEdit[] {
  let map = tree.root;
  for (const [at, key] of path.entries()) {
    const value = yamlMember(map, key)?.value;
    const rest = path.slice(at + 1);
    if (value === undefined || (isScalar(value) && value.value === null)) {
      if (value !== undefined) throw notExtensible(file, key, item);
      return [yamlMemberEdit(tree, map, key, nested(rest, item))];
    }
    if (rest.length === 0 && isSeq(value)) return [yamlItemEdit(tree, value, item)];
    if (rest.length === 0 || !isMap(value)) throw notExtensible(file, key, item);
    map = value;
  }
  return [];
}

function nested(keys: readonly string[], item: string): string[] {
  const lines = keys.map((key, depth) => `${'  '.repeat(depth + 1)}${key}:`);
  return ['', ...lines, `${'  '.repeat(keys.length + 1)}- ${item}`];
}

const notExtensible = (file: string, key: string, item: string) =>
  new CannotConnect(`"${key}" in ${file} cannot be extended. Add ${item} to it by hand; nothing was written.`);
