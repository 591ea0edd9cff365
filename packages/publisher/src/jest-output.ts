import type { Test } from './identity.ts';
import type { Case, Said } from './jest-api.ts';
import type { Printed } from './output.ts';

export const printedAs = ({ message, type = 'log' }: Said): Printed => ({
  text: `${message}\n`,
  stream: /^(error|warn|assert)$/.test(type) ? 'stderr' : 'stdout',
});

/**
 * Jest reports what a file printed, and from which line. It can be assigned to a test if the file has only one, or if tests come with their lines: it belongs to the last test that begins before it.
 */
export function outputByTest(cases: readonly [Test, Case][], said: readonly Said[]): Map<Test, Printed[]> {
  const output = new Map<Test, Printed[]>();
  for (const entry of said) {
    const owner = cases.length === 1 ? cases[0]?.[0] : ownerOf(cases, entry);
    if (owner) output.set(owner, [...(output.get(owner) ?? []), printedAs(entry)]);
  }
  return output;
}

function ownerOf(cases: readonly [Test, Case][], { origin = '' }: Said): Test | undefined {
  const lines = cases.flatMap(([test]) => (test.line === null ? [] : [{ test, line: test.line }]));
  const file = lines[0]?.test.file;
  const frame = origin.split('\n').find((text) => file && text.includes(file));
  const at = Number(/:(\d+):\d+\)?$/.exec(frame ?? '')?.[1] ?? 0);
  return lines.filter(({ line }) => line <= at).sort((a, b) => b.line - a.line)[0]?.test;
}
