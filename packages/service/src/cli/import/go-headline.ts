/** The headline of a failed Go test in one line, and its location. */
export type Headline = { message: string | null; file: string | null; line: number | null };

type Said = { file: string; line: number; text: string[] };

/** `t.Log` and `t.Error` print in the same format: a line that mentions an expectation is preferred to the last line. */
const expects = /\b(?:got|want|expected|unexpected|mismatch|fail(?:ed|ure)?|error|not equal)\b/i;
const logged = /^ {4,}([^\s:][^:]*\.go):(\d+): ?(.*)$/;
/** A longer line is not a place in a file. */
const longestPlace = 1_000;
// bounded by longestPlace
const frame = /^\s+((?:\/|[A-Za-z]:)?[^:]+\.go):(\d+)/;
const ofGo = /\/src\/(?:testing|runtime)\//;
const compiled = /^(?:vet: )?(\S+\.go):(\d+):(?:\d+:)? (.*)$/;

export function goHeadline(text: string): Headline {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const panic = lines.findIndex((line) => line.startsWith('panic: ') || line.startsWith('fatal error: '));
  if (panic >= 0) {
    const [message = ''] = (lines[panic] ?? '').split(' [recovered]');
    return { message, ...placeAfter(lines, panic) };
  }
  const race = lines.indexOf('WARNING: DATA RACE');
  if (race >= 0)
    return { message: `DATA RACE: ${(lines[race + 1] ?? '').replace(/:$/, '')}`, ...placeAfter(lines, race) };
  return assertion(lines) ?? compileError(lines) ?? { message: otherLine(lines), file: null, line: null };
}

function placeAfter(lines: readonly string[], at: number): { file: string | null; line: number | null } {
  for (const line of lines.slice(at)) {
    const [, file = '', number = ''] = frame.exec(line.slice(0, longestPlace)) ?? [];
    if (file !== '' && !ofGo.test(file)) return { file, line: Number(number) };
  }
  return { file: null, line: null };
}

function assertion(lines: readonly string[]): Headline | null {
  const said: Said[] = [];
  for (const line of lines) {
    const [, file, number, text = ''] = logged.exec(line) ?? [];
    if (file !== undefined) said.push({ file, line: Number(number), text: [text] });
    else if (/^ {8}|^\t/.test(line)) said.at(-1)?.text.push(line);
  }
  const one = said.find(({ text }) => expects.test(text.join('\n'))) ?? said.at(-1);
  if (!one) return null;
  return { message: testify(one.text) ?? one.text.join('\n').trim(), file: one.file, line: one.line };
}

/** `Error:` of testify, inside a block that begins with its trace. */
function testify(text: readonly string[]): string | null {
  const at = text.findIndex((line) => line.trim().startsWith('Error:'));
  if (at < 0) return null;
  const rest = text
    .slice(at + 1)
    .findIndex((line) => /^\s+[A-Z][A-Za-z ]+:\s/.test(line) && /Test:|Messages:/.test(line));
  const own = text.slice(at, rest < 0 ? undefined : at + 1 + rest);
  return own
    .map((line) => line.trim().replace(/^Error:\s+/, ''))
    .join('\n')
    .trim();
}

function compileError(lines: readonly string[]): Headline | null {
  for (const text of lines) {
    const [, file, line, message = ''] = compiled.exec(text) ?? [];
    if (file !== undefined) return { message, file, line: Number(line) };
  }
  return null;
}

/** Leaves out the lines that Go prints for every package. */
const usual = /^(?:PASS|FAIL|ok|\?|#|coverage:|===|---)(?:\s|$)/;
const otherLine = (lines: readonly string[]): string | null =>
  lines.map((line) => line.trim()).find((line) => line !== '' && !usual.test(line)) ?? null;
