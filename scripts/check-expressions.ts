import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

// Every regular expression of the packages takes time that grows with the text alone, or says beside it what bounds the
// text: a comment `bounded by NAME` on its line or the one above, where NAME is a constant of the same file. An
// expression that is put together at run time says `linear: why` there.
// Its build for browsers is JavaScript alone: the others want Java or a program for each system.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');
const root = join(import.meta.dirname, '..');
/** Expressions that earlier runs found to be linear, because checking them all takes more than a minute. Committed, so that a new machine need not check them. */
const linearFile = join(import.meta.dirname, 'linear-expressions.json');

type Expression = { pattern: string; flags: string; start: number };

function expressionsIn(file: string, text: string): { literals: Expression[]; built: number[] } {
  const literals: Expression[] = [];
  const built: number[] = [];
  const noteBuilt = (node: { callee: { type: string; name?: string }; start: number }) => {
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') built.push(node.start);
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ ...node.regex, start: node.start });
    },
    NewExpression: (node) => noteBuilt(node as never),
    CallExpression: (node) => noteBuilt(node as never),
  }).visit(parseSync(file, text).program);
  return { literals, built };
}

/** The line of an offset and the line above. */
function besideOf(text: string, offset: number): { line: number; beside: string } {
  const line = text.slice(0, offset).split('\n').length;
  const lines = text.split('\n');
  return { line, beside: `${lines[line - 2] ?? ''}\n${lines[line - 1] ?? ''}` };
}

function isBounded(text: string, beside: string): boolean {
  const name = /bounded by (\w+)/.exec(beside)?.[1];
  return name !== undefined && text.split(new RegExp(`\\b${name}\\b`)).length > 2;
}

const knownLinear = new Set(JSON.parse(readFileSync(linearFile, 'utf8')) as string[]);
const linear = new Set<string>();

/** `linear`, or the checker's description of its growth. */
function growthOf({ pattern, flags }: Expression): string {
  // An expression without an unbounded repetition is always linear.
  if (!/[*+]|\{\d*,\}/.test(pattern)) return 'linear';
  const key = `/${pattern}/${flags}`;
  let growth = linear.has(key) || knownLinear.has(key) ? 'linear' : '';
  // The checker measures, so a busy machine may make a linear expression look slow; one that grows does so every time.
  for (let attempt = 1; attempt <= 3 && growth !== 'linear'; attempt += 1) {
    growth = growthFound(checkSync(pattern, flags, { timeout: 120_000, randomSeed: attempt }));
  }
  if (growth === 'linear') linear.add(key);
  return growth;
}

const growthFound = (found: ReturnType<typeof checkSync>): string =>
  found.status === 'safe' ? 'linear' : found.status === 'vulnerable' ? found.complexity.summary : found.error.kind;

const faults: string[] = [];
let count = 0;
for (const file of globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })) {
  if (/\.test\.tsx?$/.test(file)) continue;
  const text = readFileSync(join(root, file), 'utf8');
  const { literals, built } = expressionsIn(file, text);
  count += literals.length + built.length;
  for (const expression of literals) {
    const { line, beside } = besideOf(text, expression.start);
    const growth = growthOf(expression);
    if (growth !== 'linear' && !isBounded(text, beside))
      faults.push(
        `${file}:${line} /${expression.pattern}/ grows: ${growth}. Write it linear, or bound the text by name.`,
      );
  }
  for (const start of built) {
    const { line, beside } = besideOf(text, start);
    if (!/linear: \w/.test(beside))
      faults.push(`${file}:${line} is put together at run time; say \`linear: why\` beside it`);
  }
}
const text = `${JSON.stringify([...linear].sort(), null, 2)}\n`;
if (text !== readFileSync(linearFile, 'utf8')) writeFileSync(linearFile, text);
if (faults.length > 0) process.stderr.write(`${faults.join('\n')}\n`);
if (process.argv.includes('--count')) process.stdout.write(`${count} expressions\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
