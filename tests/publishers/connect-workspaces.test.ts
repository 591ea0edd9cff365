import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildOneFile } from './one-file.ts';
import { binOf, createProject, type Project } from './project.ts';
import { publishedBy } from './recording-console.ts';
import { signalbox } from './signalbox.ts';

beforeAll(buildOneFile);

const textsOf = ({ folder }: Project): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );

const turbo = `{
  // tasks of all packages
  "tasks": { "test": {} }
}
`;
const files = {
  'package.json':
    '{"name":"mono","private":true,"workspaces":["packages/*","!packages/old"],"devDependencies":{"vitest":"5","jest":"30"}}\n',
  'turbo.json': turbo,
  'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
  'packages/alpha/package.json': '{"name":"@mono/alpha","type":"module","scripts":{"test":"vitest run"}}\n',
  'packages/alpha/cart.test.js': `import { test } from 'vitest'; test('adds', () => {});`,
  'packages/beta/package.json': '{"name":"@mono/beta","jest":{"transform":{}}}\n',
  'packages/docs/package.json': '{"name":"@mono/docs"}\n',
  'packages/old/package.json': '{"name":"@mono/old","devDependencies":{"vitest":"1"}}\n',
};

test('connect --tests in a monorepo connects every package, names those it skips, and restores every file', async () => {
  await using project = await createProject(files, ['vitest']);
  const before = textsOf(project);
  const env = { SIGNALBOX_URL: 'http://console.example:5525' };
  const { code, stdout } = await signalbox(project.folder, ['connect', '--tests', '--yes'], env);
  expect(code).toBe(0);
  expect(stdout).toContain('Connected: Vitest (packages/alpha/vitest.config.mjs), Jest (packages/beta/package.json).');
  expect(stdout).toContain('packages/docs was not changed: No test framework found.');
  expect(stdout).toContain('not connected: Cargo.toml: signalbox run -- cargo test --workspace');
  expect(stdout).toContain('the run appears at http://console.example:5525');
  const after = textsOf(project);
  expect(after['turbo.json']).toContain('"SIGNALBOX_*"');
  expect(after['turbo.json']).toContain('// tasks of all packages');
  expect(
    Object.keys(after)
      .filter((path) => !(path in before))
      .sort(),
  ).toEqual([
    '.signalbox/connected.json',
    '.signalbox/publisher.d.mts',
    '.signalbox/publisher.mjs',
    'packages/alpha/.signalbox/connected.json',
    'packages/alpha/.signalbox/publisher.d.mts',
    'packages/alpha/.signalbox/publisher.mjs',
    'packages/alpha/vitest.config.mjs',
    'packages/beta/.signalbox/connected.json',
    'packages/beta/.signalbox/publisher.d.mts',
    'packages/beta/.signalbox/publisher.mjs',
  ]);
  const again = await signalbox(project.folder, ['connect', '--tests', '--yes']);
  expect(again.stdout).toContain('Tests are already connected.');

  const published = await publishedBy(async (url) =>
    project.run([binOf('vitest/vitest.mjs'), 'run', '--root', 'packages/alpha'], { SIGNALBOX_URL: url }),
  );
  expect(published('run_started')[0]).toMatchObject({ suite: '@mono/alpha:vitest' });
  expect(published('scenario_finished')).toMatchObject([
    { uid: 'packages/alpha/cart.test.js/adds', outcome: 'CleanPass' },
  ]);

  await writeFile(
    join(project.folder, 'turbo.json'),
    (after['turbo.json'] ?? '').replace('all packages', 'each package'),
  );
  await signalbox(project.folder, ['connect', '--tests', '--remove', '--yes']);
  expect(textsOf(project)).toEqual({ ...before, 'turbo.json': turbo.replace('all packages', 'each package') });
});

test.each([
  ['pnpm', { 'pnpm-workspace.yaml': 'packages:\n  - "apps/**"\n' }],
  ['lerna', { 'lerna.json': '{"packages":["apps/*"]}' }],
  ['nx', { 'nx.json': '{}', 'apps/web/project.json': '{}' }],
])('a monorepo of %s is found by its own file', async (_, own) => {
  const app = { 'apps/web/package.json': '{"name":"web","devDependencies":{"vitest":"5"}}' };
  await using project = await createProject({ 'package.json': '{"name":"mono"}', ...app, ...own }, []);
  const { stdout } = await signalbox(project.folder, ['connect', '--tests', '--yes']);
  expect(stdout).toContain('Connected: Vitest (apps/web/vitest.config.mjs).');
});
