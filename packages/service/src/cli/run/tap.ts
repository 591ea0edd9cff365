import { type ReportedTest, reportedTest } from './reported-test.ts';

const result = /^( *)(not )?ok\b(.*)$/i;
const subtest = /^( *)# Subtest: (.*)$/;
const member = /^ +(message|error|duration_ms|location):(.*)$/;

/** Tests of a TAP stream, subtests under the names of those around them; null when it is none. */
export function readTap(content: string): ReportedTest[] | null {
  const lines = content.split(/\r?\n/);
  if (!lines.some((line) => /^(TAP version \d+|1\.\.\d+)/.test(line))) return null;
  const tests: ReportedTest[] = [];
  const titles: string[] = [];
  let deepest = 0;
  let yaml = false;
  for (const line of lines) {
    const named = subtest.exec(line);
    if (named) {
      titles.length = depthOf(named[1]);
      titles.push(named[2] ?? '');
      continue;
    }
    if (/^ +(---|\.\.\.)$/.test(line)) yaml = line.trim() === '---';
    else if (yaml) describe(tests.at(-1), line);
    else deepest = addResult(tests, titles, result.exec(line), deepest);
  }
  return tests;
}

const depthOf = (indent = '') => Math.floor(indent.length / 4);

/** A result that follows deeper ones is the sum of them and no test of its own. */
function addResult(
  tests: ReportedTest[],
  titles: readonly string[],
  found: RegExpExecArray | null,
  deepest: number,
): number {
  if (!found) return deepest;
  const [, indent, failed, rest = ''] = found;
  const directive = rest.search(/ # *(?:skip|todo)\b/i);
  const name = (directive < 0 ? rest : rest.slice(0, directive))
    .replace(/^ +\d+/, '')
    .replace(/^ +-/, '')
    .trim();
  const depth = depthOf(indent);
  if (deepest > depth) return depth;
  tests.push(
    reportedTest({
      feature: titles.slice(0, depth).join(' > '),
      scenario: name || '(no name)',
      state: directive >= 0 ? 'skipped' : failed ? 'failed' : 'passed',
    }),
  );
  return depth;
}

function describe(test: ReportedTest | undefined, line: string): void {
  const [, name, rest = ''] = member.exec(line) ?? [];
  const value = rest.trim();
  if (!test || name === undefined || value === '') return;
  const quoted = value.length > 1 && /^['"]/.test(value) && value.at(-1) === value[0];
  const plain = quoted ? value.slice(1, -1) : value;
  if (name === 'duration_ms') test.durationMs = Math.round(Number(plain)) || 0;
  else if (name === 'location') test.file ??= plain;
  else if (test.state === 'failed' && !/^[|>][-+]?$/.test(plain)) test.message ??= plain;
}
