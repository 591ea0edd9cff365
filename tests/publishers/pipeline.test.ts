import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyChanges, readText } from '../../packages/service/src/cli/connect/project-files.ts';
import { planTestChanges } from '../../packages/service/src/cli/connect-tests/plan-test-changes.ts';
import { readPublisher } from '../../packages/service/src/cli/connect-tests/publisher-file.ts';
import { inBrowser, openPage } from '../browser/browser.ts';
import { start } from '../start.ts';
import { buildOneFile } from './one-file.ts';
import { createProject, type Project } from './project.ts';
import { type CommandOutput, signalbox } from './signalbox.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/pipelines.md'), 'utf8');
const typed = 'signalbox run --console -- npm test';

/** The code blocks of the guide that name a file. */
const recipes = Object.fromEntries(
  [...guide.matchAll(/^```(?:yaml|groovy)\n(?:#|\/\/) (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', text = '']) => [
    file,
    text,
  ]),
);

beforeAll(buildOneFile);

async function project() {
  const made = await createProject(
    {
      'package.json': '{"name":"shop","type":"module","scripts":{"test":"node --test"}}\n',
      'cart.test.js':
        "import assert from 'node:assert';\nimport test from 'node:test';\ntest('adds', () => {});\ntest('totals', () => { assert.equal(1, 2); });\n",
    },
    [],
  );
  applyChanges(made.folder, planTestChanges((path) => readText(made.folder, path), readPublisher(), false).changes);
  return made;
}

test('every recipe types the command of the guide', () => {
  const github = parse(recipes['.github/workflows/test.yml'] ?? '') as {
    jobs: { test: { steps: { run?: string }[] } };
  };
  expect(github.jobs.test.steps.map(({ run }) => run)).toContain(typed);
  const gitlab = parse(recipes['.gitlab-ci.yml'] ?? '') as { test: { script: string[] } };
  expect(gitlab.test.script).toContain(typed);
  expect(recipes.Jenkinsfile).toContain(`sh '${typed}'`);
});

describe('in a pipeline', () => {
  let shop: Project;
  let ended: CommandOutput;
  beforeAll(async () => {
    shop = await project();
    const summary = join(shop.folder, 'summary.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, HOME: shop.folder };
    ended = await signalbox(shop.folder, typed.split(' ').slice(1), env);
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  test('a run leaves its reports, the summary of the step and annotations, and the exit code of the command', () => {
    const read = (file: string) => readFileSync(join(shop.folder, file), 'utf8');
    expect(ended, ended.stderr).toMatchObject({ code: 1 });
    expect(ended.stdout).toContain('::error file=cart.test.js,line=4,title=cart.test.js > totals::');
    expect(read('summary.md')).toMatch(/^## shop failed: 1 passed, 1 failed\n/);
    expect(read('signalbox-junit.xml')).toContain('<failure');
    const ctrf = JSON.parse(read('signalbox-ctrf.json'));
    expect(ctrf.results.summary).toMatchObject({ tests: 2, passed: 1, failed: 1 });
  });

  inBrowser('its html report', () => {
    test('opens from disk with the failures, without any request', async () => {
      const address = pathToFileURL(join(shop.folder, 'signalbox-report.html')).href;
      const page = await openPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
      await page.getByRole('row', { name: /totals/ }).click();
      await page.getByText('1 == 2').first().waitFor();
      expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([address]);
    });
  });
});

test('reports that cannot be written are listed, and the exit code is still that of the tests', async () => {
  await using shop = await project();
  writeFileSync(join(shop.folder, 'reports'), 'a file where the folder would be');
  const args = ['run', '--console', '--out', 'reports', '--', 'npm', 'test'];
  const { code, stdout, stderr } = await signalbox(shop.folder, args, { HOME: shop.folder });
  expect(code).toBe(1);
  expect(stderr).toMatch(/signalbox-report\.html was not written: \S/);
  expect(stdout).toMatch(/shop failed: 1 passed, 1 failed\.\n/);
});

test('shards of a matrix become one run of the console that the environment names', async () => {
  await using service = await start();
  await using shop = await project();
  mkdirSync(join(shop.folder, 'reports'));
  const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_RUN_ID: 'matrix-1', HOME: shop.folder };
  const args = ['run', '--console', '--out', 'reports', '--', 'npm', 'test'];
  for (const shard of ['1/2', '2/2']) {
    const part = `import test from 'node:test';\ntest('adds ${shard}', () => {});\n`;
    writeFileSync(join(shop.folder, 'cart.test.js'), part);
    expect(await signalbox(shop.folder, args, { ...env, SIGNALBOX_SHARD: shard })).toMatchObject({ code: 0 });
  }
  const { body } = await service.console('GET', '/api/runs/matrix-1');
  expect(body.participants).toHaveLength(2);
  expect(body.run).toMatchObject({ state: 'finished', green: true });
  expect(existsSync(join(shop.folder, 'reports/signalbox-junit.xml'))).toBe(true);
});
