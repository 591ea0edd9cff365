import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appearances } from './appearance.tsx';
import { glossary, glossaryEntry } from './glossary.ts';

const document = readFileSync(join(import.meta.dirname, '../../../../docs/glossary.md'), 'utf8');

test('the glossary of the docs says the same as the tooltips of the page', () => {
  for (const [word, sentence] of Object.entries(glossary)) expect(document).toContain(`| ${word} | ${sentence} |`);
});

test('every state that the page shows is in the glossary', () => {
  const missing = Object.values(appearances).filter(({ label }) => glossaryEntry(label) === undefined);
  expect(missing.map(({ label }) => label)).toEqual(['Failing']);
});
