import { posix } from 'node:path';
import type { ObjectExpression } from 'acorn';
import { isMap, isScalar, isSeq } from 'yaml';
import { CannotConnect } from '../connect/change.ts';
import { type Framework, publisherPath, relativePublisher } from './frameworks.ts';
import { firstItemEdit, type ListSetting, listEdits, memberEdit, type Note, quoteIn } from './object-edit.ts';
import { nodeTestEdits } from './script-edit.ts';
import { memberOf, parseSource, type SourceTree } from './source-tree.ts';
import type { TextEdit } from './text-edit.ts';
import { parseYaml, type YamlTree, yamlItemEdit, yamlListEdits, yamlMember, yamlMemberEdit } from './yaml-edit.ts';

const isYaml = (path: string) => /\.ya?ml$/.test(path);

/** The edits of one configuration file, for one framework. */
export function frameworkEdits(
  framework: Framework | { name: 'node:test' },
  path: string,
  text: string,
  note: Note,
): TextEdit[] {
  if (isYaml(path)) {
    const tree = parseYaml(path, text);
    return framework.name === 'Mocha'
      ? mochaYamlEdits(path, tree, relativePublisher)
      : yamlListEdits(path, tree, ['default', 'plugin'], relativePublisher);
  }
  const source = parseSource(path, text);
  if (framework.name === 'node:test') return nodeTestEdits(source, relativePublisher);
  const inner = insidePackage(framework, path, source);
  if ('edit' in inner) return [inner.edit];
  const own = { ...source, config: inner.config };
  if (framework.name === 'Mocha') return mochaEdits(path, own, own.config, relativePublisher);
  if (!framework.setting) return [];
  if (framework.name === 'Cucumber') return cucumberEdits(path, own, framework.setting, note);
  const setting = fromRoot(framework, own, framework.setting, note);
  return [...typesOfVitest(framework, path, own), ...listEdits(path, own, setting, note)];
}

/** The configuration inside package.json; a missing key is added. */
function insidePackage(
  { packageKey = '', setting }: Framework,
  path: string,
  source: SourceTree,
): { config: ObjectExpression } | { edit: TextEdit } {
  if (path !== 'package.json') return { config: source.config };
  const value = memberOf(source.config, packageKey)?.value;
  if (value?.type === 'ObjectExpression') return { config: value };
  if (value) throw new CannotConnect(`"${packageKey}" in package.json is not an object. Nothing was written.`);
  const list = `{ "${setting?.path.at(-1)}": ${setting?.missing('"')} }`;
  return { edit: memberEdit(source, source.config, packageKey, list) };
}

/** If the root is another folder, the path from there. */
function fromRoot({ name }: Framework, source: SourceTree, setting: ListSetting, note: Note): ListSetting {
  const holders = name === 'Jest' ? [source.config] : name === 'Vitest' ? [source.config, testOf(source)] : [];
  const key = name === 'Jest' ? 'rootDir' : 'root';
  const root = holders.map((holder) => holder && memberOf(holder, key)?.value).find((value) => value);
  if (!root) return setting;
  if (root.type !== 'Literal' || typeof root.value !== 'string') {
    note(`"${key}" is computed: check that the publisher's path is relative to it.`);
    return setting;
  }
  const way = posix.relative(posix.normalize(root.value), publisherPath);
  const moved = (text: string) =>
    text
      .replaceAll(`<rootDir>/${publisherPath}`, `<rootDir>/${way}`)
      .replaceAll(relativePublisher, way.startsWith('.') ? way : `./${way}`);
  return {
    ...setting,
    item: (quote) => moved(setting.item(quote)),
    missing: (quote) => moved(setting.missing(quote)),
    ...(setting.around && {
      around: { open: setting.around.open, close: (quote: string) => moved(setting.around?.close(quote) ?? '') },
    }),
  };
}

function testOf({ config }: SourceTree): ObjectExpression | null {
  const test = memberOf(config, 'test')?.value;
  return test?.type === 'ObjectExpression' ? test : null;
}

/** Vite's own types do not include `test`. */
function typesOfVitest({ name }: Framework, path: string, { text, config }: SourceTree): TextEdit[] {
  const needed = name === 'Vitest' && /^vite\.config\.[cm]?ts$/.test(path) && memberOf(config, 'test') === null;
  if (!needed || text.includes('vitest')) return [];
  return [{ start: 0, end: 0, text: '/// <reference types="vitest/config" />\n' }];
}

/** A profile is an object or one string of arguments. In CommonJS and JSON the profiles are named. */
function cucumberEdits(path: string, source: SourceTree, setting: ListSetting, note: Note): TextEdit[] {
  const named = source.commonJs || source.program === null;
  const profile = named ? memberOf(source.config, 'default')?.value : undefined;
  if (profile?.type === 'Literal' && typeof profile.value === 'string')
    return [{ start: profile.end - 1, end: profile.end - 1, text: ` --plugin ${relativePublisher}` }];
  if (profile?.type === 'TemplateLiteral') {
    const quote = quoteIn(source);
    throw new CannotConnect(
      `"default" in ${path} is computed. Add ${setting.item(quote)} as --plugin by hand; nothing was written.`,
    );
  }
  return listEdits(path, source, named ? { ...setting, path: ['default', ...setting.path] } : setting, note);
}

const optionKeys = ['reporter-option', 'reporterOption', 'reporter-options', 'reporterOptions'];
const refusal = (file: string, key: string) =>
  new CannotConnect(`"${key}" in ${file} cannot be extended. See docs/guides/mocha.md; nothing was written.`);

/** Mocha accepts one reporter. Ours prints through the previous one, which its options name. */
function mochaEdits(file: string, source: SourceTree, config: ObjectExpression, publisher: string): TextEdit[] {
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

function mochaYamlEdits(file: string, tree: YamlTree, publisher: string): TextEdit[] {
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
