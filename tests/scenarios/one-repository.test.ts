import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRunFacts } from '../../packages/publisher/src/run-facts.ts';
import { readRunOrigin } from '../../packages/service/src/cli/run/run-origin.ts';
import { start } from '../start.ts';

const runOf = (runId: string, more: object, outcome = 'CleanPass') => [
  { type: 'run_started', runId, suite: 'unit', branch: 'main', mode: 'in-process', totalScenarios: 1, ...more },
  { type: 'scenario_started', runId, uid: 'cart/adds', feature: 'cart', scenario: 'adds', attempt: 1 },
  { type: 'scenario_finished', runId, uid: 'cart/adds', outcome, attempts: 1, durationMs: 5 },
  { type: 'run_finished', runId, exitCode: outcome === 'CleanPass' ? 0 : 1, passed: outcome === 'CleanPass' ? 1 : 0 },
];

test('clones of one repository have one suite and one history, and what was kept before by path goes on in it', async () => {
  await using service = await start();
  const publish = (events: readonly object[]) => service.console('POST', '/api/ingest', { events });
  const history = async () =>
    (await service.console('GET', '/api/tests?uid=cart/adds&suite=unit')).body.items as { runId: string }[];
  await publish(runOf('before', { repository: '/home/ada/shop' }, 'Failed'));
  expect((await history()).map(({ runId }) => runId)).toEqual(['before']);
  const repositoryId = 'github.com/acme/shop';
  await publish(runOf('clone', { repository: '/home/ada/shop', repositoryId }));
  await publish(runOf('other', { repository: '/builds/1/shop', repositoryId }));
  expect((await history()).map(({ runId }) => runId)).toEqual(['other', 'clone', 'before']);
  const { body: suites } = await service.console('GET', '/api/suites');
  expect(
    suites.map(({ suite, runs }: { suite: string; runs: { runId: string }[] }) => [
      suite,
      runs.map(({ runId }) => runId),
    ]),
  ).toEqual([['unit', ['other', 'clone', 'before']]]);
  await publish(runOf('elsewhere', { repository: '/home/bob/shop', repositoryId: 'github.com/bob/shop' }));
  expect(await history()).toHaveLength(1);
});

test.each([
  ['git@github.com:acme/Shop.git', 'github.com/acme/Shop'],
  ['https://x:secret@GitHub.com/acme/shop', 'github.com/acme/shop'],
  ['ssh://git@git.example.com:2222/group/deep/shop.git', 'git.example.com/group/deep/shop'],
])('a repository is known by its remote %s, in a publisher and on the command line', async (url, id) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-remote-'));
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`);
  expect(readRunFacts(folder).repositoryId).toBe(id);
  expect(await readRunOrigin(folder, undefined)).toMatchObject({ repositoryId: id, suite: id.split('/').at(-1) });
  rmSync(folder, { recursive: true });
});

test('a clone of a folder, its working tree and a renamed folder keep the name of the package', async () => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-clone-'));
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', ['-C', cwd, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
  const source = join(root, 'source');
  mkdirSync(source);
  writeFileSync(join(source, 'go.mod'), 'module example.com/shop\n');
  git(source, 'init', '-q');
  git(source, 'add', '.');
  git(source, 'commit', '-qm', 'first');
  git(root, 'clone', '-q', 'source', 'copy');
  git(source, 'worktree', 'add', '-q', join(root, 'tree'));
  const about = async (name: string) => {
    const { suite, repositoryId } = await readRunOrigin(join(root, name), undefined);
    return [suite, repositoryId];
  };
  for (const name of ['source', 'copy', 'tree'])
    expect(await about(name)).toEqual(['example.com/shop', 'package:example.com/shop']);
  rmSync(root, { recursive: true });
});

test('packages of one repository with the same name are two suites, by their folders, and one that is named is one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-packages-'));
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/mono.git\n');
  const packages = ['old/api', 'new/api'].map((path) => join(root, path));
  for (const folder of packages) {
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name":"api"}');
  }
  const ids = ['github.com/acme/mono#old/api', 'github.com/acme/mono#new/api'];
  await using service = await start();
  for (const [index, folder] of packages.entries()) {
    const { suite, repository, repositoryId } = await readRunOrigin(join(folder, 'src'), undefined);
    expect([suite, repository, repositoryId]).toEqual(['api', root, ids[index]]);
    expect(readRunFacts(join(folder, 'src'))).toMatchObject({ packagePath: ids[index]?.split('#')[1] });
    expect(await readRunOrigin(folder, 'all')).toMatchObject({ suite: 'all', repositoryId: 'github.com/acme/mono' });
    const events = runOf(`r${index}`, { suite, repository, repositoryId });
    await service.console('POST', '/api/ingest', { events });
  }
  expect(readRunFacts(root).packagePath).toBe('');
  const { body: suites } = await service.console('GET', '/api/suites');
  expect(suites.map(({ runs }: { runs: { runId: string }[] }) => runs.map(({ runId }) => runId))).toEqual([
    ['r1'],
    ['r0'],
  ]);
  const history = (await service.console('GET', '/api/tests?uid=cart/adds&suite=api')).body.items;
  expect(history).toHaveLength(1);
  rmSync(root, { recursive: true });
});
