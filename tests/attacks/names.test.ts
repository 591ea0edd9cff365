import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { send } from '../raw-http.ts';
import { smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { codeOf, describeRoute, hostOf, routesOf } from './routes.ts';

const prototypes = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

/** Spelled as in a path: some characters are encoded, some are not. */
const elsewhere = [
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cwindows',
  '..%2f..%2f..%2fescaped',
  '%2fetc%2fpasswd',
  'a%00b',
  'a%0ab',
  'a%0d%0ab',
  'x'.repeat(300),
  '%ff%fe',
  '%c0%ae%c0%ae%2f',
  'e%CC%81',
  '%C3%A9',
  '%E2%80%AEfdp',
  '%F0%9F%98%80',
  '.hidden',
  '-rf',
  'a~2',
  'a%20b',
  '%25%32%65',
  '*',
  '%7Bplan%7D',
];
const decoded = [
  '../../etc/passwd',
  '..',
  '/etc/passwd',
  'a\u0000b',
  'a\nb',
  'x'.repeat(300),
  'é',
  'e\u0301',
  '\u202efdp',
  'a/b',
  'a\\b',
  '~',
  'a~2',
  ' ',
  '',
];

/** Every file under the service's home, by its path. */
async function filesOf({ home }: Started): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}

verifies(
  ['disk:names-validated', 'names:pattern'],
  'a name that leads elsewhere, in any part of any path of both ports, finds nothing and makes no file',
  async () => {
    await using service = await start();
    const before = await filesOf(service);
    for (const route of routesOf(service).filter(({ pattern }) => pattern.includes('{'))) {
      for (const name of elsewhere) {
        const path = route.pattern.replace(/\{\w+\}/g, name);
        const headers = { host: hostOf(route.url), 'content-type': 'application/json' };
        const { status, text } = await send(route.url, route.method, path, headers, route.takesBody ? '{}' : undefined);
        expect.soft(status, `${describeRoute(route)} ${name} ${text.slice(0, 100)}`).toBeLessThan(500);
        // If removing nothing is not an error, a 204 is allowed; nothing else may succeed. Routes that declare or
        // register a repository accept such names, because a repository may have one.
        const names = /^\/api\/repositories\/\{owner\}\/\{name\}(\/declare)?$/.test(route.pattern) && route.takesBody;
        if (status < 400 && !names)
          expect.soft([status, route.method], `${describeRoute(route)} ${name}`).toEqual([204, 'DELETE']);
        expect.soft(text, `${describeRoute(route)} ${name}`).not.toMatch(/root:|\/home\/|\/tmp\//);
      }
    }
    expect((await filesOf(service)).sort()).toEqual(before.sort());
  },
);

verifies(
  ['disk:names-validated', 'ingest:bad-event-rejected-alone'],
  'a run id or a source that leads elsewhere is refused in a body too, and no two of them share a file',
  async () => {
    await using service = await start();
    const before = await filesOf(service);
    const events = decoded.map((runId) => ({ type: 'run_heartbeat', runId }));
    const answer = await service.console('POST', '/api/ingest', { events });
    expect(answer.body).toMatchObject({ accepted: 0, ignored: 0 });
    expect(answer.body.rejected).toHaveLength(decoded.length);
    expect((await filesOf(service)).sort()).toEqual(before.sort());

    for (const runId of ['con', 'nul', 'aux.x'])
      expect((await service.console('POST', '/api/ingest', { events: smallRun(runId) })).body.accepted).toBe(0);
    const twins = ['run.1', 'run-1', 'run_1', 'run.1.ndjson'];
    for (const runId of twins)
      await service.console('POST', '/api/ingest', { events: smallRun(runId, { tag: runId }) });
    const listed = (await service.console('GET', '/api/runs')).body as { runId: string; tag: string }[];
    expect(listed.map(({ runId }) => runId).sort()).toEqual(twins.toSorted());
    expect(listed.every(({ runId, tag }) => runId === tag)).toBe(true);
  },
);

verifies('names:pattern', 'names of prototypes are plain names or a 400, and pollute nothing', async () => {
  await using service = await start();
  const post = (path: string, body: unknown) => service.call('POST', path, body);
  expect((await post('/api/plans', '{"plan":"__proto__"}')).status).toBe(400);
  expect((await service.call('GET', '/api/plans/__proto__')).status).toBe(404);
  expect((await post('/api/plans', '{"plan":"a","__proto__":{"polluted":true}}')).status).toBe(400);
  for (const plan of prototypes.slice(1)) {
    const made = await post('/api/plans', { plan, nodes: [{ id: plan, labels: [plan] }] });
    expect.soft([made.status, made.body.slug], plan).toEqual([201, plan]);
    const claimed = await post(`/api/plans/${plan}/nodes/${plan}/claim`, { agent: '__proto__' });
    expect.soft([claimed.status, claimed.body.node?.claimedBy], plan).toEqual([200, '__proto__']);
    const found = await service.call('GET', `/api/plans/ready?label=${plan}`);
    expect
      .soft(
        found.body.map(({ id }: { id: string }) => id),
        plan,
      )
      .toEqual([plan]);
  }
  for (const runId of prototypes) {
    const text = `{"events":[{"type":"run_started","runId":"${runId}","tag":"${runId}","suite":"${runId}","__proto__":{"polluted":true}},{"type":"scenario_finished","runId":"${runId}","uid":"${runId}","outcome":"CleanPass","attempts":1}]}`;
    const answer = await service.console('POST', '/api/ingest', text);
    expect.soft(answer.status, runId).toBe(202);
    const took = answer.body.rejected.length === 0;
    const runs = (await service.console('GET', `/api/runs?tag=${runId}`)).body;
    expect.soft(runs, runId).toHaveLength(took ? 1 : 0);
    if (took) {
      const { scenarios } = (await service.console('GET', `/api/runs/${runId}`)).body;
      expect.soft(scenarios, runId).toMatchObject([{ uid: runId, outcome: 'CleanPass' }]);
    }
  }
  expect('polluted' in {}).toBe(false);
});

verifies(
  'errors:mcp-validates-in-dispatch',
  'a member named __proto__ in the arguments of any tool is a fault like any other, and pollutes nothing',
  async () => {
    await using service = await start();
    const headers = { accept: 'application/json, text/event-stream' };
    const list = await service.call('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
    const names = [...list.text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      for (const member of prototypes) {
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{"${member}":{"polluted":true}}}}`;
        const { status, text } = await service.call('POST', '/api/mcp', body, headers);
        expect.soft([status, codeOf(text.replace(/^[^{]*/, ''))], `${name} ${member}`).not.toContain('internal');
      }
    }
    expect('polluted' in {}).toBe(false);
    expect(service.logged()).not.toContain('a request failed with an unexpected error');
  },
);

test('names in forty scripts, and pairs that differ only in normalisation, pass through every export unchanged', async () => {
  await using service = await start();
  const scripts = [
    0x41, 0x391, 0x410, 0x531, 0x5d0, 0x627, 0x710, 0x780, 0x905, 0x985, 0xa05, 0xa85, 0xb05, 0xb85, 0xc05,
  ];
  const more = [
    0xc85, 0xd05, 0xd85, 0xe01, 0xe81, 0xf40, 0x1000, 0x10a0, 0x1100, 0x1200, 0x13a0, 0x1401, 0x1681, 0x16a0,
  ];
  const last = [0x1780, 0x1820, 0x3041, 0x30a1, 0x3105, 0x4e00, 0xa000, 0xac00, 0x10330, 0x12000, 0x13000, 0x1f600];
  const words = [...scripts, ...more, ...last].map((from) =>
    [0, 1, 2].map((n) => String.fromCodePoint(from + n)).join(''),
  );
  const names = [...words, '👩‍👩‍👧‍👦', 'é', 'e\u0301', 'ﬁ', 'fi', '\u202eabc', 'Å', 'A\u030a'];
  const events = names.flatMap((name) => [
    {
      type: 'scenario_finished',
      runId: 'r1',
      uid: `F/${name}`,
      feature: 'F',
      scenario: name,
      outcome: 'CleanPass',
      attempts: 1,
    },
  ]);
  expect((await service.console('POST', '/api/ingest', { events })).body.accepted).toBe(names.length);
  const { scenarios } = (await service.console('GET', '/api/runs/r1')).body;
  expect(scenarios.map(({ uid }: { uid: string }) => uid).sort()).toEqual(names.map((name) => `F/${name}`).sort());
  for (const format of ['ndjson', 'ctrf', 'junit']) {
    const { text, status } = await service.console('GET', `/api/runs/r1/export?format=${format}`);
    expect(status).toBe(200);
    for (const name of names) expect.soft(text, `${format} ${name}`).toContain(name);
  }
  const archive = await readFile(join(service.dataPath, 'runs', 'r1.ndjson'), 'utf8').catch(() => '');
  if (archive) for (const name of names) expect.soft(archive).toContain(name);
});

verifies(
  ['claim:durable-before-200', 'history:by-agent'],
  'who calls himself by half a character, by NUL or by no character at all leaves a store that can be read again',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
    const names = ['a\ud800b', '\udfff', 'a\0b', '\ufffe', '\ufeff\u202e', 'e\u0301', '__proto__', '\u0007\u001b[31m'];
    const nodes = names.map((_, index) => ({ id: `n${index}` }));
    let history: unknown;
    {
      await using service = await start({ home });
      await service.call('POST', '/api/plans?by=%00', { plan: 'p', nodes });
      for (const [index, agent] of names.entries()) {
        const node = `/api/plans/p/nodes/n${index}`;
        expect((await service.call('POST', `${node}/claim`, { agent, by: agent })).status).toBeLessThan(500);
        expect((await service.call('POST', `${node}/claim`, { agent })).status).toBe(200);
        expect((await service.call('POST', `${node}/report`, { agent, note: agent })).status).toBe(200);
        const notes = await service.call('PUT', `/api/repositories/acme/shop/notes`, { text: agent, by: agent });
        expect(notes.status).toBeLessThan(500);
      }
      history = (await service.call('GET', '/api/plans/p/history')).body;
      expect(history).toHaveLength(1 + 2 * names.length);
    }
    await using again = await start({ home });
    expect((await again.call('GET', '/api/plans/p/history')).body).toEqual(history);
    const { body } = await again.call('GET', '/api/plans/p/status');
    expect(body.nodes.map(({ claimedBy }: { claimedBy: string }) => claimedBy)).toEqual(names);
    for (const [index, agent] of names.entries()) {
      const { status } = await again.call('POST', `/api/plans/p/nodes/n${index}/release`, { agent });
      expect([agent, status]).toEqual([agent, 200]);
    }
  },
);
