import { memberOf, type SourceTree } from './source-tree.ts';
import type { TextEdit } from './text-edit.ts';

/** The end of `--test` in a script that runs `node --test`; null in other scripts. */
function endOfTestOption(raw: string): number | null {
  let start = 0;
  for (const command of raw.split(/[&|;]/)) {
    const words = [...command.matchAll(/[^\s"]+/g)];
    const node = words.findIndex(([word]) => word === 'node' || word.endsWith('/node'));
    const option = words.find(([word], at) => node >= 0 && at > node && word === '--test');
    if (option) return start + option.index + option[0].length;
    start += command.length + 1;
  }
  return null;
}

/** The scripts in a package.json that run Node's test runner, with their positions in the file. */
function testScripts({ text, config }: SourceTree): { start: number; raw: string; option: number }[] {
  const scripts = memberOf(config, 'scripts')?.value;
  if (scripts?.type !== 'ObjectExpression') return [];
  return scripts.properties.flatMap((property) => {
    if (property.type !== 'Property') return [];
    const { start, end } = property.value;
    const raw = text.slice(start, end);
    const option = endOfTestOption(raw);
    return option === null ? [] : [{ start, raw, option }];
  });
}

export const usesNodeTest = (source: SourceTree): boolean => testScripts(source).length > 0;

/** With two or more reporters, Node requires a destination for each. */
export function nodeTestEdits(source: SourceTree, publisher: string): TextEdit[] {
  return testScripts(source).map(({ start, raw, option }) => {
    const reporters = raw.match(/--test-reporter[= ]/g)?.length ?? 0;
    const destinations = raw.match(/--test-reporter-destination[= ]/g)?.length ?? 0;
    const printing = [
      ...(reporters === 0 ? ['--test-reporter=spec'] : []),
      ...(destinations === 0 ? ['--test-reporter-destination=stdout'] : []),
    ];
    const ours = [`--test-reporter=${publisher}`, '--test-reporter-destination=stderr'];
    // The script's own reporters come first, because reporters and destinations are paired by order.
    const own = reporters > 0 ? lastReporter(raw) : 0;
    const place = start + (own > 0 ? own : option);
    return { start: place, end: place, text: ` ${[...printing, ...ours].join(' ')}` };
  });
}

/** After the last option that names a reporter or a destination. */
function lastReporter(raw: string): number {
  const last = [...raw.matchAll(/--test-reporter(?:-destination)?[= ][^\s"\\]+/g)].at(-1);
  return last ? last.index + last[0].length : 0;
}
