import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { createAgentHome, toolUse } from '../agents/agent-home.ts';
import { gitIn, gitRepository, gitWorktree } from '../agents/git-repository.ts';
import { type StartOptions, start } from '../start.ts';

export const numbered = (count: number, changed: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join('');

/** A repository with two worktrees, and an agent working in each of them. */
export async function collisionScene() {
  const clock = createSettableClock(Date.now());
  const home = await createAgentHome(() => clock.wall());
  onTestFinished(() => home[Symbol.asyncDispose]());
  const shop = join(home.root, 'shop');
  gitRepository(shop, 'acme/shop');
  const git = gitIn(shop);
  await mkdir(join(shop, 'src'));
  await writeFile(join(shop, 'src/price.ts'), numbered(40));
  await writeFile(join(shop, 'src/cart.ts'), numbered(40));
  git('add', '.');
  git('commit', '-q', '-m', 'Files');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  const agentIn = async (number: number, tree: string) => {
    const session = await home.session(number, tree);
    await session.appendRecord(toolUse('Edit'));
    await session.reportStatus('busy');
    return { tree, session, write: (path: string, text: string) => writeFile(join(tree, path), text) };
  };
  return {
    clock,
    home,
    shop,
    git,
    agentIn,
    ada: await agentIn(1, gitWorktree(shop, 'ada')),
    bob: await agentIn(2, gitWorktree(shop, 'bob')),
    open: (options: StartOptions = {}) =>
      start({ clock, ...options, settings: { SessionsPath: home.config, HostName: 'box', ...options.settings } }),
  };
}
