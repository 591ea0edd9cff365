import { expect } from 'vitest';
import { start } from '../start.ts';
import { newMcpClient, oldMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
type Answer = any;

const signOff = { binding: { kind: 'signOff' } };
const plan = {
  plan: 'shop',
  nodes: [
    { id: 'here', repository: 'acme/shop', ...signOff },
    { id: 'there', repository: 'acme/other', ...signOff },
    { id: 'first', repository: 'acme/other', ...signOff },
    { id: 'later', repository: 'acme/other', dependsOn: ['first'], ...signOff },
  ],
};

async function connection(path: string, client = newMcpClient) {
  const service = await start();
  await service.call('POST', '/api/plans', plan);
  const mcp = await client(service.url, path);
  return {
    service,
    mcp,
    call: async (name: string, input: object = {}): Promise<Answer> =>
      ((await mcp.callTool({ name, arguments: { ...input } })) as Answer).structuredContent,
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await service.stop();
    },
  };
}

verifies(
  'mcp:repository-scope',
  'a repository in the address narrows what is listed and taken, unless the call says otherwise',
  async () => {
    await using on = await connection('/api/mcp?tools=work&repository=Acme/shop&client=codex');
    const refs = async (input: object) =>
      (await on.call('next_ready_nodes', input)).items.map(({ ref }: { ref: string }) => ref).sort();
    expect(await refs({})).toEqual(['shop/here']);
    expect(await refs({ repository: 'acme/other' })).toEqual(['shop/first', 'shop/there']);
    expect(await refs({ repository: null })).toEqual(['shop/first', 'shop/here', 'shop/there']);
    expect(await on.call('claim_next', { agent: 'ada' })).toMatchObject({ claimed: true, node: { ref: 'shop/here' } });
    expect(await on.call('claim_next', { agent: 'ada' })).toEqual({ claimed: false, reason: 'nothing_ready' });
    expect((await on.call('claim_next', { agent: 'ada', repository: 'acme/other' })).claimed).toBe(true);
    expect(on.mcp.getInstructions()).toContain('Acme/shop');
    expect(on.mcp.getInstructions()?.length).toBeLessThan(400);
    await using wrong = await connection('/api/mcp?repository=shop');
    expect(await wrong.call('claim_next', { agent: 'ada' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'repository' }],
    });
  },
);

verifies(
  ['mcp:ref', 'node-status:one'],
  'plan/node as ref, or as node alone, names a node for every tool',
  async () => {
    await using on = await connection('/api/mcp');
    expect(await on.call('claim_node', { ref: 'shop/here', agent: 'ada' })).toMatchObject({ claimed: true });
    expect(await on.call('report_node', { node: 'shop/here', agent: 'ada', note: 'x' })).toMatchObject({
      reported: true,
    });
    expect(await on.call('release_node', { ref: 'shop/here', node: 'there', agent: 'ada' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'ref' }],
    });
    const node = await on.call('node_status', { ref: 'shop/here' });
    expect(node).toMatchObject({ ref: 'shop/here', claim: { agent: 'ada', note: 'x' } });
    const { untrusted, ...twin } = node as Record<string, unknown>;
    expect(untrusted).toContain('claim.note');
    expect((await on.service.call('GET', '/api/plans/shop/nodes/here')).body).toEqual(twin);
    expect((await on.service.call('GET', '/api/plans/shop/nodes/nothing')).body.code).toBe('node_not_found');
  },
);

verifies(
  'mcp:slim-answers',
  'claims answer with what is needed to start, reports and releases with what changed, on both transports',
  async () => {
    await using on = await connection('/api/mcp');
    const claimed = (await on.call('claim_node', { ref: 'shop/here', agent: 'ada' })).node;
    const work =
      'binding claimedBy dependsOn description id labels lastClaim plan ready ref repository status title why';
    expect(Object.keys(claimed).sort().join(' ')).toBe(work);
    const path = '/api/plans/shop/nodes/here';
    const reported = await on.service.call('POST', `${path}/report`, { agent: 'ada', note: 'x' });
    expect(Object.keys(reported.body.node).sort()).toEqual([
      'claimedBy',
      'id',
      'plan',
      'ready',
      'ref',
      'status',
      'why',
    ]);
    const released = await on.service.call('POST', `${path}/release`, { agent: 'ada', view: 'full' });
    expect(released.body.node).toEqual((await on.service.call('GET', path)).body);
    expect(released.body.node.why).not.toMatch(/\d{4}-\d\d-\d\dT/);
  },
);

verifies.each(['new', 'old'])(
  'mcp:await-progress',
  'a call that waits says every ten seconds that it goes on, to callers that ask for it',
  async (generation) => {
    await using on = await connection('/api/mcp', generation === 'new' ? newMcpClient : (oldMcpClient as never));
    const told: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void told.push(progress);
    const ask = { name: 'await_node', arguments: { ref: 'shop/here' } };
    // biome-ignore lint/suspicious/noExplicitAny: the two generations take their options at different places
    const call = on.mcp.callTool.bind(on.mcp) as any;
    const waiting = generation === 'new' ? call(ask, { onprogress }) : call(ask, undefined, { onprogress });
    const { clock } = on.service;
    for (let seconds = 0; seconds < 40; seconds += 10) {
      // The call is in progress once its timers are set; before that a tick has nothing to run.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
      clock.advance(10_000);
      await clock.tick();
    }
    expect(((await waiting) as Answer).structuredContent).toMatchObject({ outcome: 'timeout', waitedSeconds: 40 });
    expect(told).toEqual([10, 20, 30, 40].slice(0, told.length));
    expect(told.length).toBeGreaterThanOrEqual(3);
    const tooLong = (await call({ name: 'await_node', arguments: { ref: 'shop/here', timeoutSeconds: 51 } })) as Answer;
    expect(tooLong.isError).toBe(true);
  },
);

verifies('mcp:prompts-and-resources', 'a person can type prompts, plans and runs in a client', async () => {
  await using on = await connection('/api/mcp');
  expect((await on.mcp.listPrompts()).prompts.map(({ name }) => name)).toEqual(['take_work', 'plan_from_repository']);
  const asked = await on.mcp.getPrompt({ name: 'take_work', arguments: { agent: 'ada' } });
  expect(JSON.stringify(asked)).toContain('claim_next with agent');
  await expect(on.mcp.getPrompt({ name: 'nothing' })).rejects.toThrow('unknown prompt nothing');
  const { resourceTemplates } = await on.mcp.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'signalbox://plan/{slug}',
    'signalbox://run/{runId}',
  ]);
  const [content] = (await on.mcp.readResource({ uri: 'signalbox://plan/shop' })).contents;
  expect(JSON.parse((content as { text: string }).text)).toMatchObject({ slug: 'shop', ready: expect.any(Array) });
  for (const uri of [
    'signalbox://plan/none',
    'signalbox://run/none',
    'signalbox://x/y',
    'file:///etc/passwd',
    'signalbox://plan/%',
  ])
    await expect(on.mcp.readResource({ uri }), uri).rejects.toThrow();
});
