import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';

const root = join(import.meta.dirname, '..', '..');
const client = join(root, 'packages', 'service', 'src', 'client', 'index.ts');
const guide = readFileSync(join(root, 'docs', 'guides', 'orchestrate.md'), 'utf8');

/** The exact output of each recipe (`node fan-out.mjs` and the others); the guide shows the same. */
const recipes: Record<string, string[]> = {
  'fan-out': ['join got 14 rows of 3 parts', 'the plan is done'],
  'per-repository': ['6 nodes, at most 2 at once'],
  poison: ['parked by attempts after 1: the fixture is missing', 'the plan is done'],
  timeout: ['hangs: 1 of 1 attempts failed: The function took longer than 100 ms.', 'works: done'],
  cancel: ['aborted: node_removed'],
  resume: ['another process ended by SIGKILL', 'goes on after 2 of 3 files', 'the plan is done'],
  'wait-for-suite': ['tests: done', 'the plan is done'],
  'pull-requests': [
    'lexer: submitted by author, pushed node/lexer',
    'parser: submitted by author, pushed node/parser',
    'for another worker: nothing_ready',
  ],
  priority: ['groundwork hotfix usual someday'],
  budget: ['0 tokens in 1 claim, parked: no'],
};

let service: Started;
let folder: string;
/** The recipes as a reader has them, except that the client comes from these sources. */
beforeAll(async () => {
  service = await start({ clock: systemClock });
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-'));
  cpSync(join(root, 'examples', 'orchestrate'), folder, { recursive: true });
  for (const file of globSync('*.mjs', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replace("'signalbox-client'", JSON.stringify(client)));
  }
});
afterAll(() => service[Symbol.asyncDispose]());

test.concurrent.each(Object.entries(recipes))('the recipe %s does what the guide says', async (name, lines) => {
  const env = { SIGNALBOX_SERVICE_URL: service.url, SIGNALBOX_URL: service.consoleUrl };
  await using recipe = signalbox([], env, undefined, join(folder, `${name}.mjs`));
  const code = await recipe.ended;
  expect([code, recipe.err(), recipe.out().trim().split('\n')]).toEqual([0, '', lines]);
  for (const line of lines) expect(guide).toContain(line);
});

test('every recipe is tried, and is in the guide', () => {
  const files = globSync('*.mjs', { cwd: join(root, 'examples', 'orchestrate') }).filter(
    (file) => file !== 'recipe.mjs',
  );
  expect(files.map((file) => file.replace('.mjs', '')).sort()).toEqual(Object.keys(recipes).sort());
  for (const file of files) expect(guide).toContain(`examples/orchestrate/${file}`);
});
