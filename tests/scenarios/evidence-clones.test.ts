import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { cloneIn, nodeOf, observeAgain, register } from '../evidence-clone.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

async function openPlan(service: Started, folder: string): Promise<void> {
  await register(service, folder);
  const nodes = [
    { id: 'work', binding: { kind: 'commit' } },
    { id: 'bump', binding: { kind: 'dependency', repository: 'acme/shop', name: 'sdk', version: '^2.0.0' } },
  ];
  await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes });
}

const taking = (version: string) => JSON.stringify({ dependencies: { sdk: version } });

test('a fetched branch ahead of the local one proves its commits', async () => {
  await using service = await start();
  const { folder, git, write } = cloneIn(service.home);
  write('package.json', taking('^1.0.0'));
  git('commit', '-qm', 'Begin');
  const begin = git('rev-parse', 'HEAD');
  write('package.json', taking('^2.0.0'));
  git('commit', '-qm', 'Do it\n\nPlan-Node: p/work');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '-q', '-b', 'next');
  git('update-ref', 'refs/heads/main', begin);
  await openPlan(service, folder);
  await observeAgain(service);
  expect(await nodeOf(service, 'work')).toMatchObject({ status: 'done', evidence: { state: 'committed' } });
  expect(await nodeOf(service, 'bump')).toMatchObject({ status: 'done', evidence: { state: 'taken' } });
});

test('an empty manifest hides neither other manifests nor commits', async () => {
  await using service = await start();
  const { folder, git, write } = cloneIn(service.home);
  write('fixtures/package.json', 'null');
  write('package.json', `\uFEFF${taking('^2.0.0')}`);
  git('commit', '-qm', 'Do it\n\nPlan-Node: p/work');
  await openPlan(service, folder);
  await observeAgain(service);
  expect(await nodeOf(service, 'work')).toMatchObject({ status: 'done' });
  expect(await nodeOf(service, 'bump')).toMatchObject({
    status: 'done',
    evidence: { detail: 'main uses sdk ^2.0.0' },
  });
});

test('an unreadable manifest is not an observation: the last evidence stays', async () => {
  await using service = await start();
  const { folder, git, write } = cloneIn(service.home);
  write('package.json', taking('^2.0.0'));
  git('commit', '-qm', 'Begin');
  await openPlan(service, folder);
  await observeAgain(service);
  expect((await nodeOf(service, 'bump')).status).toBe('done');
  write('package.json', taking('^2.1.0'));
  git('commit', '-qm', 'Go on');
  const blob = git('rev-parse', 'HEAD:package.json');
  rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  await observeAgain(service);
  expect(await nodeOf(service, 'bump')).toMatchObject({
    status: 'done',
    evidence: { state: 'taken', detail: 'package.json could not be read in the clone' },
  });
  git('hash-object', '-w', 'package.json');
  await observeAgain(service);
  expect((await nodeOf(service, 'bump')).evidence.detail).toBe('main uses sdk ^2.1.0');
});

/** Whether the owner of the folders could be changed: not every user may, and not every machine has another user. */
function give(folders: readonly string[], to: number): boolean {
  try {
    for (const folder of folders) chownSync(folder, to, to);
    return true;
  } catch {
    return false;
  }
}

test("a clone of another owner is read if the user's configuration marks it as safe", async (context) => {
  await using service = await start();
  const { folder, git, write } = cloneIn(service.home);
  write('package.json', taking('^2.0.0'));
  git('commit', '-qm', 'Do it\n\nPlan-Node: p/work');
  const folders = [folder, join(folder, '.git')];
  context.skip(!give(folders, 65_534), 'only the superuser can give a folder away');
  writeFileSync(join(service.home, '.gitconfig'), '[safe]\n\tdirectory = *\n');
  vi.stubEnv('HOME', service.home);
  try {
    await openPlan(service, folder);
    await observeAgain(service);
    expect(await nodeOf(service, 'work')).toMatchObject({ status: 'done', evidence: { state: 'committed' } });
  } finally {
    vi.unstubAllEnvs();
    give(folders, 0);
  }
});

verifies(
  ['proof:clones-path', 'proof:clone-origin'],
  'a clone elsewhere, or of another repository, proves nothing, and the evidence says why',
  async () => {
    await using service = await start();
    const { folder, git, write } = cloneIn(service.home);
    write('package.json', taking('^2.0.0'));
    git('commit', '-qm', 'Do it\n\nPlan-Node: p/work');
    git('remote', 'set-url', 'origin', 'https://github.com/mallory/shop.git');
    await openPlan(service, folder);
    await observeAgain(service);
    for (const id of ['work', 'bump']) {
      expect(await nodeOf(service, id)).toMatchObject({
        status: 'ready',
        evidence: { detail: `not read: ${folder} is a clone of mallory/shop` },
      });
    }
    git('remote', 'set-url', 'origin', 'git@github.com:Acme/Shop.git');
    await observeAgain(service);
    expect(await nodeOf(service, 'work')).toMatchObject({ status: 'done' });
    await using other = await start({ settings: { ClonesPath: service.dataPath } });
    await openPlan(other, folder);
    await observeAgain(other);
    expect((await nodeOf(other, 'work')).evidence.detail).toBe(`not read: ${folder} lies outside Service:ClonesPath`);
  },
);
