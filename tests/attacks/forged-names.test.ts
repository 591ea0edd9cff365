import { expect } from 'vitest';
import { observeAgain } from '../evidence-clone.ts';
import { bearer, type Closed, mcpWith, startClosed, type TokenHolder } from '../tokens.ts';
import { verifies } from '../verifies.ts';

const run = (runId: string, more: object = {}) => [
  { type: 'run_started', runId, suite: 'unit', tag: 'p/n', ...more },
  { type: 'scenario_finished', runId, uid: 'Cart/total', outcome: 'CleanPass', attempts: 1, durationMs: 5 },
  { type: 'run_finished', runId, exitCode: 0, passed: 1, failed: 0 },
];

/** A node that only runs of ci can prove, an agent, CI, and a liar. */
async function prepared(settings: Record<string, string> = {}) {
  const service = await startClosed({ settings: { OrphanSeconds: '100000', ...settings } });
  const nodes = [
    { id: 'n', binding: { kind: 'suite', publisher: 'ci' } },
    { id: 's', binding: { kind: 'signOff', who: 'grace' } },
  ];
  await service.operator.call('POST', '/api/plans', { plan: 'p', nodes });
  const ci = await service.named('ci', ['publish']);
  const mallory = await service.named('mallory', ['work', 'publish']);
  return Object.assign(service, { ci, mallory });
}

const publish = async (who: TokenHolder, events: readonly object[]) =>
  (await who.console('POST', '/api/ingest', { events })).body;
async function statusOf(service: Closed, node = 'n'): Promise<string> {
  await observeAgain(service);
  return (await service.operator.call('GET', `/api/plans/p/nodes/${node}`)).body.status;
}

verifies('proof:publisher-binding', 'forged: a run with a body that claims ci published it', async () => {
  await using service = await prepared();
  const lie = { publisher: 'ci', trust: 'named', by: 'ci', receivedAt: '2026-01-01T00:00:00.000Z' };
  await publish(service.mallory, run('lie', lie));
  const { publisher, trust } = (await service.operator.console('GET', '/api/runs/lie')).body.run;
  expect([publisher, trust, await statusOf(service)]).toEqual(['mallory', 'named', 'ready']);
  await publish(service.ci, run('honest'));
  expect(await statusOf(service)).toBe('done');
});

verifies('proof:begun-with-token', "forged: a verdict put into ci's live run by another token", async () => {
  await using service = await prepared();
  const [began, verdict, ended] = run('shared');
  await publish(service.ci, [began ?? {}]);
  const unknown = { type: 'of_a_later_version', runId: 'shared' };
  const answer = await publish(service.mallory, [verdict ?? {}, unknown, ended ?? {}]);
  const message = expect.stringContaining('was started by ci');
  const rejected = [0, 1, 2].map((index) => ({ index, message }));
  expect(answer).toEqual({ accepted: 0, ignored: 0, rejected });
  expect(await statusOf(service)).toBe('running');
  const { items } = (await service.operator.call('GET', '/api/audit?denied=true&name=mallory')).body;
  expect(items[0]).toMatchObject({ command: 'ingest', ref: 'shared', outcome: 'name_not_yours' });
});

verifies('proof:publisher-binding', 'forged: a run begun before ci could, under the id that ci would use', async () => {
  await using service = await prepared();
  await publish(service.mallory, run('build-7').slice(0, 1));
  const { accepted } = await publish(service.ci, run('build-7'));
  expect([accepted, await statusOf(service)]).toEqual([0, 'ready']);
});

verifies(
  'proof:publisher-binding',
  "forged: the name of a revoked token, made again by its finder's own hand",
  async () => {
    await using service = await prepared();
    await service.operator.call('DELETE', '/api/tokens/ci');
    expect((await publish(service.ci, run('old'))).code).toBe('token_invalid');
    const made = await service.mallory.call('POST', '/api/tokens', { name: 'ci', scopes: ['publish'] });
    expect(made.body.code).toBe('scope_required');
    expect(await statusOf(service)).toBe('ready');
  },
);

verifies('label:not-yours-403', 'forged: a label that only looks like the name of another', async () => {
  await using service = await prepared();
  const claim = (agent: unknown) => service.mallory.call('POST', '/api/plans/p/nodes/n/claim', { agent });
  for (const agent of ['grace', 'Mallory', 'mallory2', 'mallory\u200b', ' mallory', 'grace/mallory', 'mallory\\x'])
    expect.soft((await claim(agent)).body.code, agent).toBe('name_not_yours');
  for (const agent of [['mallory'], { name: 'grace' }, 7])
    expect.soft((await claim(agent)).status, String(agent)).toBe(400);
  expect((await claim('mallory/1')).body.claimed).toBe(true);
});

verifies(
  'sign-off:no-own-work',
  'forged: a sign-off by the person who did the work, through another label, door or token',
  async () => {
    await using service = await prepared();
    await service.operator.call('POST', '/api/plans/p/nodes/s/bind', { kind: 'signOff' });
    const grace = await service.named('grace', ['author']);
    await grace.call('POST', '/api/plans/p/nodes/s/claim', { agent: 'grace/night', session: 'S-9' });
    const client = await mcpWith(service.url, grace.token);
    const overMcp = await client.callTool({ name: 'sign_off_node', arguments: { ref: 'p/s', by: 'grace/day' } });
    expect(overMcp.structuredContent).toMatchObject({ code: 'self_sign_off' });
    await client.close();
    const sign = (who: TokenHolder, body: object) => who.call('POST', '/api/plans/p/nodes/s/sign-off', body);
    expect((await sign(grace, {})).body.code).toBe('self_sign_off');
    expect((await sign(service.mallory, {})).body.code).toBe('scope_required');
    expect((await sign(service.operator, { by: 'GRACE/NIGHT' })).body.code).toBe('self_sign_off');
    expect(await statusOf(service, 's')).not.toBe('done');
  },
);

verifies('sign-off:signer-required', 'forged: a sign-off in the name of the asked person, or of nobody', async () => {
  await using service = await prepared();
  const eve = await service.named('eve', ['author']);
  const sign = (body: object) => eve.call('POST', '/api/plans/p/nodes/s/sign-off', body);
  expect((await sign({ by: 'grace' })).body.code).toBe('name_not_yours');
  expect((await sign({})).body).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringContaining('needs the sign-off of grace'),
  });
  for (const by of ['', null])
    expect((await service.operator.call('POST', '/api/plans/p/nodes/s/sign-off', { by })).status).toBe(400);
});

verifies(
  'proof:open-proves-nothing',
  'forged: a proof without a token, or with a wrong one, where ingest is open',
  async () => {
    await using service = await prepared({ OpenIngest: 'true' });
    await service.operator.call('POST', '/api/plans/p/nodes/n/bind', { kind: 'suite' });
    for (const [runId, headers] of [
      ['nobody', {}],
      ['wrong', bearer('ci')],
    ] as const) {
      await service.console('POST', '/api/ingest', { events: run(runId) }, headers);
      expect((await service.operator.console('GET', `/api/runs/${runId}`)).body.run.trust).toBe('open');
    }
    expect(await statusOf(service)).toBe('ready');
  },
);

verifies(
  ['scope:matrix', 'proof:withdraw-scope'],
  'forged: a failure taken off the board by who caused it',
  async () => {
    await using service = await prepared();
    await publish(service.ci, run('good'));
    const [began] = run('bad');
    await publish(service.ci, [began ?? {}, { type: 'run_finished', runId: 'bad', exitCode: 1, passed: 0, failed: 1 }]);
    expect(await statusOf(service)).toBe('failed');
    const author = await service.named('heidi', ['author', 'publish']);
    for (const who of [service.mallory, author, service.ci]) {
      expect((await who.call('DELETE', '/api/runs/bad')).body.code).toBe('scope_required');
      expect((await who.console('DELETE', '/api/runs')).body.code).toBe('scope_required');
    }
    for (const who of [service.mallory, service.ci]) {
      expect((await who.call('DELETE', '/api/runs/bad?withdraw=true')).body.code).toBe('scope_required');
    }
    expect(await statusOf(service)).toBe('failed');
    expect((await author.call('DELETE', '/api/runs/bad?withdraw=true')).status).toBe(200);
    expect(await statusOf(service)).toBe('done');
  },
);

verifies(
  ['login:server-side', 'token:revoked'],
  'forged: a login by a made-up cookie, the hash of a token, or a cookie of another port',
  async () => {
    await using service = await prepared();
    const login = await service.call('POST', '/api/login', { token: service.mallory.token });
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    const [name, id] = cookie.split('=');
    const status = async (shown: string, port: 'call' | 'console' = 'call') =>
      (await service[port]('GET', '/api/me', undefined, { cookie: shown })).status;
    expect(await status(cookie)).toBe(200);
    for (const forged of [`${name}=`, `${name}=${id}x`, `${name}=${service.mallory.token}`, `signalbox_login=${id}`])
      expect.soft(await status(forged), forged).toBe(401);
    expect(await status(cookie, 'console')).toBe(401);
    expect((await service.call('DELETE', '/api/tokens/ci', undefined, { cookie })).body.code).toBe('scope_required');
  },
);
