import type { ObjectExpression } from 'acorn';
import { isMap, isScalar, isSeq } from 'yaml';
import { CannotConnect } from '../connect/change.ts';
import { firstItemEdit, memberEdit, quoteIn } from './object-edit.ts';
import { memberOf, type SourceTree } from './source-tree.ts';
import type { TextEdit } from './text-edit.ts';
import { type YamlTree, yamlItemEdit, yamlMember, yamlMemberEdit } from './yaml-edit.ts';

const optionKeys = ['reporter-option', 'reporterOption', 'reporter-options', 'reporterOptions'];
const refusal = (file: string, key: string) =>
  new CannotConnect(`"${key}" in ${file} cannot be extended. See docs/guides/mocha.md; nothing was written.`);

/** Mocha accepts one reporter. Ours prints through the previous one, which its options name. */
export function mochaEdits(file: string, source: SourceTree, config: ObjectExpression, publisher: string): TextEdit[] {
  const quote = quoteIn(source);
  const ours = quote + publisher + quote;
  const former = memberOf(config, 'reporter')?.value;
  if (!former) return [memberEdit(source, config, 'reporter', ours)];
  if (former.type !== 'Literal' || typeof former.value !== 'string') throw refusal(file, 'reporter');
  const inner = `inner=${former.value}`;
  const replaced = { start: former.start, end: former.end, text: ours };
  const options = optionKeys.map((key) => memberOf(config, key)).find((member) => member !== null)?.value;
  if (!options) return [replaced, { ...memberEdit(source, config, 'reporter-option', `[${quote}${inner}${quote}]`) }];
  if (options.type === 'ArrayExpression') return [replaced, firstItemEdit(source, options, quote + inner + quote)];
  if (options.type === 'ObjectExpression') {
    const key = source.program ? 'inner' : '"inner"';
    return [replaced, firstItemEdit(source, options, `${key}: ${quote}${former.value}${quote}`)];
  }
  if (options.type !== 'Literal' || typeof options.value !== 'string') throw refusal(file, 'reporter-option');
  return [replaced, { start: options.start + 1, end: options.start + 1, text: `${inner},` }];
}

export function mochaYamlEdits(file: string, tree: YamlTree, publisher: string): TextEdit[] {
  const former = yamlMember(tree.root, 'reporter')?.value;
  if (former === undefined) return [yamlMemberEdit(tree, tree.root, 'reporter', [` ${publisher}`])];
  if (!isScalar(former) || typeof former.value !== 'string' || !former.range) throw refusal(file, 'reporter');
  const inner = `inner=${former.value}`;
  const replaced = { start: former.range[0], end: former.range[1], text: publisher };
  const options = optionKeys.map((key) => yamlMember(tree.root, key)).find((member) => member !== undefined)?.value;
  if (options === undefined)
    return [replaced, yamlMemberEdit(tree, tree.root, 'reporter-option', ['', `  - ${inner}`])];
  if (isSeq(options)) return [replaced, yamlItemEdit(tree, options, inner)];
  if (isMap(options)) return [replaced, yamlMemberEdit(tree, options, 'inner', [` ${former.value}`])];
  throw refusal(file, 'reporter-option');
}
