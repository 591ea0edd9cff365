import { expect, test } from 'vitest';
import { diagnose } from '../../packages/service/src/app/diagnose.ts';
import { startedProcess } from '../spawn.ts';
import { caller } from '../start.ts';

const clients = 64;

test('a service that stood still past the end of a lease gives it to one of those who waited, and to no other', async () => {
  await using service = await startedProcess();
  const call = caller(service.url);
  await call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
  const node = '/api/plans/p/nodes/n';
  const { body: first } = await call('POST', `${node}/claim`, { agent: 'ada', leaseMinutes: 0.01 });
  expect(first.claimed).toBe(true);
  service.child.kill('SIGSTOP');
  const asked = Array.from({ length: clients }, (_, n) => call('POST', `${node}/claim`, { agent: `agent-${n}` }));
  const late = call('POST', `${node}/report`, { agent: 'ada', note: 'I was first', fence: first.fence });
  // Nothing can be observed of a stopped process, so this waits for the lease itself.
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(first.expiresAt) - Date.now()) + 100));
  service.child.kill('SIGCONT');
  const answers = await Promise.all(asked);
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  const winner = winners[0]?.body.node.claimedBy;
  expect(winners[0]?.body.fence).toBeGreaterThan(first.fence);
  for (const { status, body } of answers.filter((one) => one.status !== 200))
    expect([status, body.heldBy]).toEqual([409, winner]);
  expect((await late).status).toBe(409);
  const { nodes } = (await call('GET', '/api/plans/p/status')).body;
  expect([nodes[0].claimedBy, nodes[0].claim.note]).toEqual([winner, null]);
});

test('doctor waits for a busy service, and does not call it another program that holds the port', async () => {
  await using service = await startedProcess();
  const { port } = new URL(service.url);
  const env = {
    HOME: service.home,
    PORT: `${port},${new URL(service.consoleUrl).port}`,
    Service__GitHubUrl: service.url,
  };
  service.child.kill('SIGSTOP');
  const found = diagnose({ env, args: [], cwd: service.home, home: service.home });
  // A stopped process cannot be observed; 2.5 s is longer than doctor waited for a ping.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  service.child.kill('SIGCONT');
  expect((await found).filter(({ about }) => about.endsWith(' port'))).toEqual([
    expect.objectContaining({ about: 'coordination port', state: 'ok', found: expect.stringContaining('runs here') }),
    expect.objectContaining({ about: 'console port', state: 'ok', found: expect.stringContaining('runs here') }),
  ]);
});
