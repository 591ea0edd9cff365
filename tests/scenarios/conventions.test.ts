import { expect } from 'vitest';
import { consoleCommands } from '../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { refusalStatus } from '../../packages/service/src/edge/problem.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

/** Every member name and every text of an answer, at any depth. */
function* inside(value: unknown, name = ''): Iterable<[name: string, value: unknown]> {
  yield [name, value];
  if (Array.isArray(value)) for (const item of value) yield* inside(item, name);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* inside(inner, key);
}

const plan = {
  plan: 'P',
  nodes: [
    { id: 'a', binding: { kind: 'signOff' } },
    { id: 'b', dependsOn: ['a'], estimateMinutes: 90 },
  ],
};

verifies(
  [
    'json:camel-case',
    'json:times-utc-milliseconds',
    'json:durations-integer-milliseconds',
    'json:empty-members-written',
    'evidence:states',
  ],
  'answers are camelCase, times are UTC with milliseconds, durations whole milliseconds, and nothing is left out',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', plan);
    await service.call('POST', '/api/plans/P/nodes/a/claim', { agent: 'ada' });
    await service.console('POST', '/api/ingest', {
      events: [{ type: 'run_started', runId: 'R1', suite: 's', startedAt: '2026-01-01T10:00:00+01:00' }],
    });
    const paths = [
      '/api/plans',
      '/api/plans/P',
      '/api/plans/P/status',
      '/api/plans/P/history',
      '/api/plans/ready',
      '/api/agents',
      '/api/repositories',
      '/api/runs',
      '/api/runs/r1',
      '/api/licence',
    ];
    for (const path of paths) {
      const { body } = await service.call('GET', path);
      for (const [name, value] of inside(body)) {
        expect.soft(name, path).toMatch(/^$|^[a-z][A-Za-z0-9]*$/);
        expect.soft(value, `${path} ${name}`).not.toBeUndefined();
        if (/(At|Until)$/.test(name) && typeof value === 'string')
          expect.soft(value, `${path} ${name}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        if (/Ms$/.test(name) && value !== null) expect.soft(Number.isInteger(value), `${path} ${name}`).toBe(true);
      }
    }
  },
);

verifies(
  ['json:offset-times-accepted', 'names:run-ids-lower-case'],
  'a time with an offset is taken, and run ids are written in lower case',
  async () => {
    await using service = await start();
    await service.console('POST', '/api/ingest', {
      events: [{ type: 'run_started', runId: 'RUN-One', suite: 's', startedAt: '2026-01-01T10:00:00+01:00' }],
    });
    const [run] = (await service.call('GET', '/api/runs')).body;
    expect([run.runId, run.startedAt]).toEqual(['run-one', '2026-01-01T09:00:00.000Z']);
    expect((await service.call('GET', '/api/runs/RUN-ONE')).status).toBe(200);
    expect(
      (await service.call('DELETE', `/api/runs?olderThan=${encodeURIComponent('2026-01-01T11:00:00+01:00')}`)).status,
    ).toBe(200);
  },
);

verifies(
  ['labels:length', 'labels:by-defaults-to-anonymous', 'labels:not-credentials', 'labels:by-on-every-authoring-call'],
  'by and agent are labels of 1 to 200 characters that prove nothing; by is anonymous unless told',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
    await service.call('POST', '/api/plans/p/nodes?by=anyone%20at%20all', { id: 'm' });
    const history = (await service.call('GET', '/api/plans/p/history')).body;
    expect(history.map(({ by }: { by: string }) => by)).toEqual(['anonymous', 'anyone at all']);
    for (const by of ['', 'x'.repeat(201)])
      expect.soft((await service.call('POST', `/api/plans/p/nodes?by=${by}`, { id: 'o' })).status).toBe(400);
    expect((await service.call('POST', '/api/plans/p/nodes/n/claim', { agent: 'x'.repeat(201) })).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'agent' }],
    });
    expect((await service.call('POST', '/api/plans/p/nodes/n/claim', { agent: 'x'.repeat(200) })).status).toBe(200);
    const authoring = coordinationCommands.filter(
      ({ rest, effect, gate }) => rest?.path.startsWith('/api/plans') && effect === 'write' && gate === 'record',
    );
    expect(authoring.length).toBeGreaterThan(9);
    for (const { name, rest } of authoring) expect.soft(rest?.query, name).toContain('by');
  },
);

verifies(
  [
    'errors:stable-snake-case-code',
    'errors:code-fits-status',
    'errors:detail-says-what-to-do',
    'errors:no-host-path',
    'errors:problem-json',
  ],
  'every refusal of every example is a problem object with a known code, its one status and a sentence, and tells nothing of the host',
  async () => {
    await using service = await start();
    const asked: Array<
      readonly [string, Promise<{ status: number; headers: Headers; body: Record<string, unknown>; text: string }>]
    > = [];
    for (const [call, commands] of [
      [service.call, coordinationCommands],
      [service.console, consoleCommands],
    ] as const) {
      for (const { rest } of commands) {
        if (!rest) continue;
        for (const [part, body] of [
          ['nowhere', {}],
          ['%00', { bogus: 1 }],
          ['..%2f..%2fetc', 'no json'],
        ] as const) {
          const path = rest.path.replace(/\{\w+\}/g, part);
          asked.push([`${rest.method} ${path}`, call(rest.method, path, rest.method === 'GET' ? undefined : body)]);
        }
      }
    }
    for (const [what, answer] of asked) {
      const { status, headers, body, text } = await answer;
      if (status < 400) continue;
      expect.soft(headers.get('content-type'), what).toBe('application/problem+json; charset=utf-8');
      const known = refusalStatus[body.code as keyof typeof refusalStatus];
      expect.soft([body.status, status], what).toEqual([known?.[0], known?.[0]]);
      expect.soft(body.code, what).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect.soft(body.detail, what).toMatch(/^[A-Z(].{9,}[.)]$/s);
      expect.soft(text, what).not.toMatch(/\/(home|tmp|root|usr|var)\/|node_modules|at .*:\d+:\d+/);
    }
  },
);

verifies(
  ['idempotency:every-mutation', 'idempotency:forgotten-after-a-day', 'idempotency:console-takes-no-key'],
  'every mutation takes a key for a day; the console needs none',
  async () => {
    await using service = await start();
    const key = { 'idempotency-key': 'k1' };
    const first = await service.call('POST', '/api/plans', { plan: 'p' }, key);
    expect([
      (await service.call('POST', '/api/plans', { plan: 'p' }, key)).status,
      (await service.call('POST', '/api/plans', { plan: 'p' }, key)).body,
    ]).toEqual([201, first.body]);
    const node = { 'idempotency-key': 'k2' };
    for (let times = 0; times < 2; times += 1)
      expect((await service.call('POST', '/api/plans/p/nodes', { id: 'n' }, node)).status).toBe(201);
    service.clock.advance(24 * 3_600_000 + 1);
    expect((await service.call('POST', '/api/plans', { plan: 'p' }, key)).body.code).toBe('plan_exists');
    const events = { events: [{ type: 'run_started', runId: 'r', suite: 's' }] };
    for (let times = 0; times < 2; times += 1)
      expect((await service.console('POST', '/api/ingest', events, key)).status).toBe(202);
    expect((await service.call('GET', '/api/runs')).body).toHaveLength(1);
  },
);
