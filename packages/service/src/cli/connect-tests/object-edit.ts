import type { AnyNode, ArrayExpression, ObjectExpression } from 'acorn';
import { CannotConnect } from '../connect/change.ts';
import { assignedTo, memberOf, nameOf, objectIn, type SourceTree } from './source-tree.ts';
import { indentAt, indentUnitOf, lineEndOf, quoteOf, type TextEdit } from './text-edit.ts';

/** A list in a configuration to which our publisher is added. New text uses the file's quotes. */
export type ListSetting = {
  /** Keys from the configuration's object to the list. */
  path: readonly string[];
  item(quote: string): string;
  /** The whole list if there is none yet, including the framework's defaults. */
  missing(quote: string): string;
  /** The list that replaces a single value. */
  around?: { open: string; close(quote: string): string };
};

export type Note = (text: string) => void;

const isJson = ({ program }: SourceTree) => program === null;
export const quoteIn = (source: SourceTree): string => (isJson(source) ? '"' : quoteOf(source.text));

/** Adds the publisher to a list of the configuration. */
export function listEdits(file: string, source: SourceTree, setting: ListSetting, note: Note): TextEdit[] {
  const quote = quoteIn(source);
  let holder = source.config;
  for (const [at, key] of setting.path.entries()) {
    const value = memberOf(holder, key)?.value;
    const rest = setting.path.slice(at + 1);
    if (!value) return [memberEdit(source, holder, key, nested(source, rest, setting.missing(quote)), file, note)];
    if (rest.length === 0) return valueEdits(file, source, value, setting);
    const inner = source.program ? objectIn(source.program, value) : value.type === 'ObjectExpression' ? value : null;
    if (!inner) throw computed(file, key, setting.item(quote));
    holder = inner;
  }
  return [];
}

function nested(source: SourceTree, keys: readonly string[], value: string): string {
  return keys.reduceRight((below, key) => `{ ${keyText(source, key)}: ${below} }`, value);
}

const keyText = (source: SourceTree, key: string): string => {
  const quote = quoteIn(source);
  return !isJson(source) && /^[A-Za-z_$][\w$]*$/.test(key) ? key : `${quote}${key}${quote}`;
};

function valueEdits(file: string, source: SourceTree, value: AnyNode, setting: ListSetting): TextEdit[] {
  const quote = quoteIn(source);
  if (value.type === 'ArrayExpression') return [itemEdit(source, value, setting.item(quote))];
  if (value.type === 'ConditionalExpression')
    return [value.consequent, value.alternate].flatMap((each) => valueEdits(file, source, each, setting));
  if (nameOf(value) === 'undefined') return [{ start: value.start, end: value.end, text: setting.missing(quote) }];
  if (value.type === 'Identifier') {
    const named = assignedTo(source.program, value.name);
    if (named) return valueEdits(file, source, named, setting);
  }
  if (value.type === 'Literal' && typeof value.value === 'string' && setting.around) {
    return [
      { start: value.start, end: value.start, text: setting.around.open },
      { start: value.end, end: value.end, text: setting.around.close(quote) },
    ];
  }
  throw computed(file, setting.path.join('.'), setting.item(quote));
}

const computed = (file: string, key: string, item: string) =>
  new CannotConnect(`"${key}" in ${file} is computed. Add ${item} to it by hand; nothing was written.`);

/** After the last item, on its own line if that item has one. */
export function itemEdit({ text }: SourceTree, list: ArrayExpression, item: string): TextEdit {
  const last = list.elements.at(-1);
  if (!last) return { start: list.start + 1, end: list.start + 1, text: item };
  return { start: last.end, end: last.end, text: `,${ownLine(text, last.start) ?? ' '}${item}` };
}

/** Before the first item. */
export function firstItemEdit({ text }: SourceTree, list: ArrayExpression | ObjectExpression, item: string): TextEdit {
  const [first] = list.type === 'ArrayExpression' ? list.elements : list.properties;
  const at = first?.start ?? list.start + 1;
  return { start: at, end: at, text: first ? `${item},${ownLine(text, first.start) ?? ' '}` : item };
}

/** A new member comes first in its object, or last after a spread, which would override it. */
export function memberEdit(
  source: SourceTree,
  holder: ObjectExpression,
  key: string,
  value: string,
  file = '',
  note: Note = () => undefined,
): TextEdit {
  const { text } = source;
  const member = `${keyText(source, key)}: ${value}`;
  const [first] = holder.properties;
  const last = holder.properties.at(-1);
  const at = holder.start + 1;
  if (!first || !last) {
    if (text.slice(at, holder.end - 1).includes('\n'))
      return {
        start: at,
        end: at,
        text: `${lineEndOf(text)}${indentAt(text, at)}${indentUnitOf(text)}${member}${isJson(source) ? '' : ','}`,
      };
    return { start: at, end: at, text: isJson(source) ? member : ` ${member} ` };
  }
  if (holder.properties.some(({ type }) => type === 'SpreadElement')) {
    note(`${file} spreads another object. If that object sets "${key}", add its value to the new line.`);
    return { start: last.end, end: last.end, text: `,${ownLine(text, last.start) ?? ' '}${member}` };
  }
  return { start: first.start, end: first.start, text: `${member},${ownLine(text, first.start) ?? ' '}` };
}

/** Line end and indent if the position is the first on its line, else null. */
function ownLine(text: string, start: number): string | null {
  const indent = indentAt(text, start);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return lineStart + indent.length === start && lineStart > 0 ? lineEndOf(text) + indent : null;
}
