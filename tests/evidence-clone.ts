import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Started } from './start.ts';
import { newMcpClient } from './transports.ts';

/** Lets the observers check once more. */
export async function observeAgain({ clock }: Started): Promise<void> {
  clock.advance(60_000);
  await clock.tick();
}

export const nodeOf = async ({ call }: Started, id: string) =>
  (await call('GET', '/api/plans/p/status')).body.nodes.find((node: { id: string }) => node.id === id);

/** A clone on disk with manifests; `git` runs in it as its author would. */
export function cloneIn(home: string) {
  const folder = join(home, 'clone');
  mkdirSync(folder);
  const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
  const env = { PATH: process.env.PATH, HOME: home, ...author };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' }).toString().trim();
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
  const write = (file: string, text: string) => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
    git('add', '.');
  };
  return { folder, git, write };
}

export async function register(service: Pick<Started, 'url'>, folder: string): Promise<void> {
  const client = await newMcpClient(service.url);
  await client.callTool({ name: 'register_repository', arguments: { owner: 'acme', name: 'shop', paths: [folder] } });
  await client.close();
}
