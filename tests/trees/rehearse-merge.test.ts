import { lstat, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rehearseMerge } from '../../packages/service/src/coordination/trees/io/rehearse-merge.ts';
import { gitIn } from '../agents/git-repository.ts';
import { signalbox } from '../spawn.ts';
import { verifies } from '../verifies.ts';
import { collisionScene, numbered } from './collision-scene.ts';

const price = 'src/price.ts';

/** Everything that a write, a rename, a removal or a changed mode would change; reading changes only the access time. */
async function snapshot(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { ino, size, mtimeMs, ctimeMs, mode, nlink } = await lstat(path);
    return [path, ino, size, mtimeMs, ctimeMs, mode, nlink].join(' ');
  });
  return (await Promise.all(lines)).sort();
}

const commitIn = (tree: string) => {
  gitIn(tree)('add', '.');
  gitIn(tree)('commit', '-q', '-m', 'Work');
};

verifies(
  ['merge:rehearsed', 'merge:never-writes'],
  'a rehearsal names what two trees would conflict in today, leaves out what is not committed, and writes nothing',
  async () => {
    const { ada, bob, shop, open } = await collisionScene();
    await using service = await open();
    await ada.write(price, numbered(40, { 3: 'three' }));
    await bob.write(price, numbered(40, { 3: 'drei' }));
    await bob.write('src/cart.ts', numbered(40, { 3: 'drei' }));
    commitIn(ada.tree);
    commitIn(bob.tree);
    await ada.write('src/cart.ts', numbered(40, { 3: 'three' }));
    const listed = async () => (await service.call('GET', '/api/overlaps')).body.items.length;
    await expect.poll(listed).toBe(2);
    const before = await snapshot(shop);
    const { body } = await service.call('GET', '/api/overlaps/merges?repository=acme/shop');
    expect(body).toEqual({
      left: 0,
      items: [
        {
          repository: 'acme/shop',
          trees: [
            expect.objectContaining({ root: ada.tree, branch: 'worktree-ada', uncommitted: 1 }),
            expect.objectContaining({ root: bob.tree, branch: 'worktree-bob', uncommitted: 0 }),
          ],
          result: 'conflicts',
          reason: null,
          conflicts: [price],
        },
      ],
    });
    await using spawned = signalbox(['overlaps', '--merge', 'worktree-ada', 'worktree-bob'], {
      SIGNALBOX_SERVICE_URL: service.url,
    });
    expect(await spawned.ended).toBe(0);
    expect(spawned.out()).toBe(
      `worktree-ada and worktree-bob conflict in 1 file:\n  ${price}\n  Not included: uncommitted files of worktree-ada (1).\n`,
    );
    expect(await snapshot(shop)).toEqual(before);
    gitIn(bob.tree)('revert', '--no-edit', 'HEAD');
    expect(await rehearseMerge(ada.tree, bob.tree)).toMatchObject({ result: 'clean', conflicts: [] });
  },
);

test('trees of two clones are rehearsed with the objects of both, and one without a commit is unknown', async () => {
  const { ada, shop, home } = await collisionScene();
  const clone = join(home.root, 'clone');
  gitIn(home.root)('clone', '-q', shop, clone);
  await ada.write(price, numbered(40, { 3: 'three' }));
  commitIn(ada.tree);
  await writeFile(join(clone, price), numbered(40, { 3: 'drei' }));
  commitIn(clone);
  expect(await rehearseMerge(ada.tree, clone)).toMatchObject({ result: 'conflicts', conflicts: [price] });
  const empty = join(home.root, 'empty');
  gitIn(home.root)('init', '-q', empty);
  expect(await rehearseMerge(ada.tree, empty)).toMatchObject({
    result: 'unknown',
    reason: expect.stringContaining('no commit'),
  });
});
