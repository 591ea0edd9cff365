import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Board } from '../../packages/service/src/coordination/agents/contract.ts';
import type { StoryState } from '../../packages/service/src/kernel/story.ts';
import { isAlive } from '../../packages/service/src/platform/processes.ts';
import { signalbox, startedProcess } from '../spawn.ts';

test('demo --into fills both ports of a running service, and played again it changes nothing', async () => {
  await using service = await startedProcess();
  const play = async (...args: string[]) => {
    await using demo = signalbox(['demo', '--into', service.url, ...args]);
    expect(await demo.ended).toBe(0);
    return demo.out();
  };
  const read = async (path: string) => (await fetch(`${service.consoleUrl}${path}`)).json();
  const unreachable = 'http://127.0.0.1:9';
  expect(await play('--console', unreachable)).toContain(`are skipped: No service answers at ${unreachable}`);

  await play('--console', service.consoleUrl);
  const runs = await read('/api/runs');
  expect(runs).toMatchObject([
    { runId: 'demo-sdk-unit', state: 'finished', failed: 3, tag: 'platform-sdk/sdk-js' },
    { runId: 'demo-checkout-specs', state: 'finished', failed: 0 },
  ]);
  const [{ finishedAt }] = runs as [{ finishedAt: string }];
  expect(Math.abs(Date.now() - Date.parse(finishedAt))).toBeLessThan(3_600_000);
  const { summary } = (await read('/api/event-model/coverage')) as { summary: Record<string, number> };
  expect(summary.slices).toBe(13);
  expect(summary.verified).toBeGreaterThan(0);
  expect(summary.failing).toBeGreaterThan(0);

  expect(await play('--console', service.consoleUrl)).toContain('run demo-sdk-unit: already exists');
  expect(await read('/api/runs')).toEqual(runs);
});

test('a demo with a port in use names the port and how to choose another', async () => {
  await using service = await startedProcess();
  const port = new URL(service.url).port;
  await using demo = signalbox(['demo', '--no-open'], { PORT: `${port},0` });
  expect(await demo.ended).toBe(1);
  expect(demo.err()).toBe(
    `Port ${port} (coordination) is in use. Stop the program that uses it, or choose another port with PORT.\n`,
  );
});

test('the living demo plays its story on a service of its own, and Ctrl-C leaves nothing behind', async () => {
  await using demo = signalbox(['demo', '--no-open']);
  const [, url = '', folder = ''] = await demo.says(/page +(http:\/\/localhost:\d+)\S*\n +data +(\S+)/);
  const story = async (action?: string): Promise<StoryState> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ action }) };
    return (await fetch(`${url}/api/story`, action ? post : {})).json() as Promise<StoryState>;
  };
  const board = async () => (await (await fetch(`${url}/api/agents`)).json()) as Board;
  const until = async <Thing>(what: () => Promise<Thing | undefined | false>): Promise<Thing> => {
    for (;;) {
      const found = await what();
      if (found) return found;
      await pause(100);
    }
  };
  expect((await story('pause')).paused).toBe(true);
  // Steps can also be taken during a pause, each after the previous one has been played.
  for (let step = 2; step <= 7; step += 1) {
    await story('next');
    await until(async () => (await story()).step >= step);
  }
  const isOrphaned = ({ claims }: Board['sessions'][number]) => claims.some(({ health }) => health === 'orphaned');
  const orphaned = await until(async () => (await board()).sessions.find(isOrphaned));
  expect(orphaned).toMatchObject({ live: false, claims: [{ plan: 'platform-sdk', node: 'sdk-js' }] });
  // Two agents change the same lines in two trees, so that the page of changes has something to show.
  const overlaps = async () => (await fetch(`${url}/api/overlaps`)).json() as Promise<{ overlaps?: unknown[] }>;
  await until(async () => JSON.stringify(await overlaps()).includes('src/price.ts'));
  const { sessions } = await board();
  expect([...new Set(sessions.map(({ tool }) => tool))].sort()).toEqual(['claude-code', 'codex', 'gemini']);
  const pids = sessions.flatMap(({ pid, live }) => (live && pid !== null ? [pid] : []));
  expect(pids.length).toBeGreaterThanOrEqual(4);
  expect(demo.child.kill('SIGINT')).toBe(true);
  expect(await demo.ended).toBe(0);
  expect(existsSync(folder)).toBe(false);
  expect(pids.filter(isAlive)).toEqual([]);
});
