import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { citationsIn } from './requirements/citations.ts';
import { requirements } from './requirements.ts';

const root = join(import.meta.dirname, '..');
const ledger = join(import.meta.dirname, 'unverified.json');
const refresh = 'UPDATE_UNVERIFIED=1 npx vitest run tests/requirement-coverage.test.ts';

// Requirements that only the long tests or the package tests prove are not proven by the gate.
const sources = globSync(['tests/**/*.{ts,tsx}', 'packages/*/src/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: ['tests/long/**', 'tests/package/**'],
}).sort();
const found = sources.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const citations = found
  .filter(({ text }) => text.includes('verifies'))
  .map(({ path, text }) => citationsIn(path, text));

const known = requirements.map(({ id }): string => id);
const cited = citations.flatMap((file) => file.cited);
const verified = new Set(cited.map(({ id }) => id));
const unverified = known.filter((id) => !verified.has(id));

const repeated = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);

test('every requirement has an id of its own, a place in the documents and one sentence', () => {
  expect(repeated(known), 'ids listed twice').toEqual([]);
  for (const { id, source, says } of requirements) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*:[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(source, id).toMatch(/^(interface §\d|contract(-[23])? \d+)(, (interface §\d|contract(-[23])? \d+))*$/);
    expect(says, id).toMatch(/^\S.*[^.]\.$/);
    expect(says, id).not.toMatch(/[.!?] [A-Z]/);
  }
});

test('every test cites requirements that exist, as literals', () => {
  expect(citations.flatMap((file) => file.faults)).toEqual([]);
  expect(
    cited.filter(({ at }) => !/(\.(test|spec)\.tsx?|\/behaves-like-[^/]+\.ts):/.test(at)),
    'cited where no test runs',
  ).toEqual([]);
  expect(cited.filter(({ id }) => !known.includes(id))).toEqual([]);
});

test('unverified.json lists exactly the requirements that no test cites', () => {
  if (process.env.UPDATE_UNVERIFIED) writeFileSync(ledger, `${JSON.stringify(unverified, null, 2)}\n`);
  const listed: string[] = JSON.parse(readFileSync(ledger, 'utf8'));
  expect(repeated(listed), 'listed twice').toEqual([]);
  expect(
    listed.filter((id) => !known.includes(id)),
    `no such requirement; take the line out: ${refresh}`,
  ).toEqual([]);
  expect(
    listed.filter((id) => verified.has(id)),
    `proven by now, so take it off the list: ${refresh}`,
  ).toEqual([]);
  expect(
    unverified.filter((id) => !listed.includes(id)),
    'neither proven nor listed as unproven: write the test',
  ).toEqual([]);
});
