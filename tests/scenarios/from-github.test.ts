import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { startGitHub } from '../github-server.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

test('the issues of a repository become a plan document that the service takes, and no file is overwritten', async () => {
  await using gitHub = await startGitHub(systemClock);
  gitHub.set(1, { state: 'open', title: 'Ship the checkout', milestone: 'One', subIssues: [2] });
  gitHub.set(2, { state: 'open', title: 'Round like a bank', milestone: 'One', labels: ['money'], blockedBy: [3] });
  gitHub.set(3, { state: 'open', title: 'Choose a currency', milestone: 'one' });
  gitHub.set(4, { state: 'open', title: 'Not of this milestone' });
  gitHub.set(5, { state: 'open', title: 'A pull request', milestone: 'One', pull: true });
  gitHub.set(6, { state: 'closed', title: 'Done long ago', milestone: 'One' });
  const env = { Service__GitHubUrl: gitHub.url };
  const words = ['plans', 'from-github', 'acme/shop', '--milestone', 'One'];

  await using first = signalbox(words, env);
  expect([await first.ended, first.err()]).toEqual([0, '']);
  const file = join(first.home, 'shop.yaml');
  expect(first.out()).toContain('Wrote shop.yaml with 3 nodes');
  const document = parse(readFileSync(file, 'utf8'));
  expect(document.nodes.map(({ id, dependsOn }: { id: string; dependsOn?: string[] }) => [id, dependsOn])).toEqual(
    expect.arrayContaining([
      ['issue-1', ['issue-2']],
      ['issue-2', ['issue-3']],
      ['issue-3', undefined],
    ]),
  );
  await using service = await start();
  const { status, body } = await service.call('PUT', `/api/plans/${document.plan}`, document);
  expect([status, body.added]).toEqual([201, expect.arrayContaining(['issue-1', 'issue-2', 'issue-3'])]);

  writeFileSync(file, 'mine');
  await using second = signalbox(words, env, first.home);
  expect(await second.ended).not.toBe(0);
  expect(second.err()).toContain('is not overwritten');
  expect(readFileSync(file, 'utf8')).toBe('mine');

  gitHub.feel('gone');
  await using third = signalbox([...words, '--out', 'other.yaml'], env, first.home);
  expect(await third.ended).not.toBe(0);
  expect(third.err()).toContain('Check the repository name');
});
