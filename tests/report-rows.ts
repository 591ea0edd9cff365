import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What was done, as text, and the tests that do it: `<file> > <title>`, with the title as in the source. */
export type ReportRows = Record<string, { says: string; tests: readonly [string, ...string[]] }>;

const root = join(import.meta.dirname, '..');
const report = readFileSync(join(root, 'docs', 'faults.md'), 'utf8');

/** Every id from 1 to `last` has a text, tests that exist, and a row in the report. */
export function checkReportRows(letter: string, last: number, contents: ReportRows): void {
  const ids = Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
  test(`${ids[0]} to ${ids.at(-1)} each have a test`, () => {
    expect(Object.keys(contents)).toEqual(ids);
  });
  test.each(Object.entries(contents))('%s', (id, { says, tests }) => {
    expect(says).toMatch(/^[A-Z]/);
    expect(report, 'a row in docs/faults.md').toContain(`| ${id} |`);
    for (const place of tests) {
      const [file = '', title = ''] = place.split(' > ');
      expect(existsSync(join(root, file)), file).toBe(true);
      expect(readFileSync(join(root, file), 'utf8'), place).toContain(title);
    }
  });
}
