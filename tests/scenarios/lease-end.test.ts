import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { callThrough } from '../coordination/call-through.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const signOff = { kind: 'signOff' };
const plan = {
  plan: 'shop',
  nodes: [
    { id: 'lexer', binding: signOff },
    { id: 'parser', dependsOn: ['lexer'] },
  ],
};
const lexer = { plan: 'shop', node: 'lexer' };
/** Slightly more than a second. */
const shortLease = 0.02;

/** Claims, waits for a word on its input, then reports with the fence from its claim. */
const holder = `
const [url, agent, leaseMinutes] = process.argv.slice(1);
const post = async (what, body) => {
  const response = await fetch(url + '/api/plans/shop/nodes/lexer/' + what, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ agent, ...body }),
  });
  return { status: response.status, body: await response.json() };
};
const { body } = await post('claim', { leaseMinutes: Number(leaseMinutes) });
console.log('claimed');
await new Promise((resolve) => process.stdin.once('data', resolve));
const told = await post('report', { note: 'I was asleep', fence: body.fence });
console.log(told.status + ' ' + told.body.code);
process.exit(0);
`;

verifies(
  ['fence:stale-409', 'lease:ends-by-the-clock', 'report:refusal-changes-nothing'],
  'a holder that was stopped past its lease cannot write over the one who claimed since',
  async () => {
    await using service = await start({ clock: systemClock });
    await using mcp = await callThrough(service, 'mcp');
    await service.call('POST', '/api/plans', plan);
    for (const [next, code] of [
      ['ada', 'stale_fence'],
      ['bob', 'not_holder'],
    ] as const) {
      const child = spawn(process.execPath, [
        '--input-type=module',
        '-e',
        holder,
        service.url,
        'ada',
        String(shortLease),
      ]);
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe('claimed');
      child.kill('SIGSTOP');
      expect(await mcp('await_node', { ...lexer, until: 'unclaimed' })).toMatchObject({ outcome: 'unclaimed' });
      await mcp('claim_node', { ...lexer, agent: next });
      await mcp('report_node', { ...lexer, agent: next, note: 'mine now' });
      child.stdin.write('go\n');
      child.kill('SIGCONT');
      expect((await lines.next()).value).toBe(`409 ${code}`);
      const { node } = await mcp('release_node', { ...lexer, agent: next, view: 'full' });
      expect(node.lastClaim).toMatchObject({ agent: next, note: 'mine now' });
    }
  },
);

verifies(
  ['history:expired-once', 'history:expired-decides-nothing', 'await:node-unclaimed'],
  'the end of a lease is noted once, and nothing waits for the note',
  async () => {
    await using service = await start({ clock: systemClock });
    await using mcp = await callThrough(service, 'mcp');
    await service.call('POST', '/api/plans', plan);
    await mcp('claim_node', { ...lexer, agent: 'ada', leaseMinutes: shortLease });
    const waited = await mcp('await_node', { ...lexer, until: 'unclaimed', view: 'full' });
    expect(waited).toMatchObject({
      outcome: 'unclaimed',
      node: { claim: null, lastClaim: { agent: 'ada', how: 'expired' } },
    });
    const story = await mcp('plan_history', { plan: 'shop', only: 'claims' });
    expect(story.map(({ type }: { type: string }) => type)).toEqual(['node_claimed', 'claim_expired']);
    expect(await mcp('claim_node', { ...lexer, agent: 'bob' })).toMatchObject({ claimed: true });
  },
);

verifies(
  ['await:dependencies', 'await:dependencies-timeout', 'await:node-done', 'await:timeout-at-most'],
  'an agent waits for others without asking again and again',
  async () => {
    await using service = await start({ clock: systemClock });
    await using mcp = await callThrough(service, 'mcp');
    await service.call('POST', '/api/plans', plan);
    const parser = { plan: 'shop', node: 'parser' };
    const vain = await mcp('await_dependencies', { ...parser, timeoutSeconds: 0.05 });
    expect(vain).toMatchObject({ outcome: 'timeout', waitingFor: ['shop/lexer'] });
    const ready = mcp('await_dependencies', parser);
    const done = mcp('await_node', lexer);
    await service.call('POST', '/api/plans/shop/nodes/lexer/sign-off?by=eve', {});
    expect(await ready).toMatchObject({ outcome: 'ready', waitingFor: [] });
    expect(await done).toMatchObject({ outcome: 'done', node: { status: 'done' } });
    expect(await mcp('await_node', { ...lexer, timeoutSeconds: 111 })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  },
);
