import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { host, specs } from '../../packages/event-model/testing/wallets.ts';
import { send } from '../raw-http.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const model = '/api/event-model';
const put = ({ console }: Started, source: string, body: unknown) => console('PUT', `${model}/${source}`, body);
const read = async ({ console }: Started, query = '') => (await console('GET', `${model}${query}`)).body;

const runId = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const credit = 'Wallet/crediting adds funds';
const onePassed = { passed: 1, failed: 0, passedOnRetry: 0, indeterminate: 0 };

/** A complete run of one scenario, as a publisher sends it. */
const runOf = (number: number, outcome: string, rest: object = {}, uid = credit) => {
  const at = `2026-01-01T10:0${number}:00.000Z`;
  const run = { runId: runId(number) };
  return {
    events: [
      { type: 'run_started', ...run, suite: 'Wallet.Specs', repository: '/r', mode: 'in-process', startedAt: at },
      { type: 'scenario_finished', ...run, uid, outcome, attempts: 1, durationMs: 5, at, ...rest },
      { type: 'run_finished', ...run, exitCode: 0, ...onePassed, finishedAt: at },
    ],
  };
};
test('a killed console has the verdicts of its live runs, retries included, at its next start', async () => {
  await using service = await start();
  await put(service, 'host', host);
  await put(service, 'specs', specs);
  const [run, other] = [{ runId: runId(1) }, { runId: runId(2) }];
  const touchedTypes = [{ name: 'Wallet', fullName: 'Shop.Wallet', assemblyName: 'Shop' }];
  const finished = { type: 'scenario_finished', uid: credit, outcome: 'CleanPass', durationMs: 5, touchedTypes };
  const attempt = (number: number) => ({
    ...{ type: 'scenario_started', ...run, uid: credit, attempt: number, at: `2026-01-01T10:0${number}:00.000Z` },
  });
  const events = [
    { type: 'run_started', ...run, suite: 'Wallet.Specs', repository: '/r', startedAt: '2026-01-01T10:00:00.000Z' },
    attempt(1),
    { ...finished, ...run, outcome: 'Failed', attempts: 1, at: '2026-01-01T10:01:30.000Z' },
    attempt(2),
    { ...finished, ...run, outcome: 'PassOnRetry', attempts: 2, at: '2026-01-01T10:02:30.000Z' },
    { ...finished, ...run, uid: 'Wallet/not declared', attempts: 1 },
  ];
  for (const event of events) await service.console('POST', '/api/ingest', { events: [event] });
  await service.console('POST', '/api/ingest', runOf(2, 'Failed', {}, 'Wallet/opening starts empty'));
  expect((await service.console('DELETE', `/api/runs/${other.runId}`)).status).toBe(204);
  const [before, coverage] = [await read(service), (await service.console('GET', `${model}/coverage`)).body];
  expect(before.slices.map(({ evidence }: { evidence: { state: string } }) => evidence.state)).toEqual(
    expect.arrayContaining(['verified', 'failing']),
  );
  const home = await mkdtemp(join(tmpdir(), 'signalbox-killed-'));
  try {
    // The disk as a killed process leaves it.
    await cp(service.home, home, { recursive: true, preserveTimestamps: true });
    await service.stop();
    await using again = await start({ home });
    await expect.poll(() => read(again)).toEqual(before);
    expect((await again.console('GET', `${model}/coverage`)).body).toEqual(coverage);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

const stateOf = async (service: Started, slice = 'CreditWallet') =>
  (await read(service, `?slice=${slice}`)).slices[0].evidence.state;

verifies(
  [
    'model:none-404',
    'model:push-204',
    'model:get-merged',
    'model:sources',
    'model:computed',
    'model:camel-case-members',
    'model:merge-by-name',
  ],
  'two sources that name one model are served as one, with what is computed from them',
  async () => {
    await using service = await start();
    const none = await service.console('GET', model);
    expect([none.status, none.body.code]).toEqual([404, 'no_event_model']);
    const pushed = await put(service, 'host', host);
    expect([pushed.status, pushed.text]).toEqual([204, '']);
    await put(service, 'specs', specs);
    const merged = await read(service);
    expect(merged.sources.map(({ source, slices }: { source: string; slices: number }) => [source, slices])).toEqual([
      ['host', 4],
      ['specs', 3],
    ]);
    expect(merged.sources[0].pushedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(merged.slices[1]).toMatchObject({
      name: 'CreditWallet',
      domain: 'Banking',
      pattern: 'Command',
      triggerKind: 'Human',
    });
    expect(merged.slices[1].elements[0]).toMatchObject({ kind: 'Trigger', lane: 'Wireframe', label: 'Teller screen' });
    expect([merged.slices[1].edges.length, merged.links.length]).toEqual([3, 4]);
  },
);

verifies(
  ['model:merge-ignores-push-order', 'model:first-by-source-name'],
  'sources pushed in either order are the same bytes, and the first name wins a tie',
  async () => {
    const told = new Set<string>();
    const say = (domain: string) => ({ name: 'W', slices: [{ name: 'S', domain }] });
    for (const order of [
      ['zebra', 'ant'],
      ['ant', 'zebra'],
    ]) {
      await using service = await start();
      for (const source of order) await put(service, source, say(source));
      const { text } = await service.console('GET', model);
      told.add(text);
      expect(JSON.parse(text).slices[0].domain).toBe('ant');
    }
    expect(told.size).toBe(1);
  },
);

verifies(
  [
    'model:other-name-refused',
    'model:mismatch-detail',
    'model:mismatch-whoever-pushes',
    'model:survives-restart',
    'model:delete-source-204',
    'model:delete-frees-name',
  ],
  'another model is refused before and after a restart, until its sources are deleted',
  async () => {
    await using first = await start();
    await put(first, 'host', host);
    await put(first, 'specs', specs);
    const before = (await first.console('GET', model)).text;
    const refused = async (service: Started) => {
      for (const source of ['third', 'host']) {
        const { status, body } = await put(service, source, { name: 'Orders', slices: [] });
        expect([status, body.code]).toEqual([409, 'model_name_mismatch']);
        for (const word of ['Orders', 'Wallets', 'host, specs', 'DELETE /api/event-model/host'])
          expect(body.detail).toContain(word);
      }
      expect((await service.console('GET', model)).text).toBe(before);
    };
    await refused(first);
    await first.stop();
    await using second = await start({ home: first.home });
    await refused(second);
    for (const source of ['HOST', 'specs', 'nobody']) {
      expect((await second.console('DELETE', `${model}/${source}`)).status).toBe(204);
    }
    expect((await put(second, 'third', { name: 'Orders', slices: [] })).status).toBe(204);
    expect((await read(second)).name).toBe('Orders');
  },
);

verifies(
  ['model:push-replaces-own-source', 'model:source-ignores-case', 'model:bare-put-is-default'],
  'a push replaces its own source, in any casing of its name; a bare one is the source default',
  async () => {
    await using service = await start();
    await put(service, 'host', { name: 'W', slices: [{ name: 'Old' }] });
    expect((await service.console('PUT', model, { name: 'W', slices: [{ name: 'Bare' }] })).status).toBe(204);
    await put(service, 'Host', { name: 'W', slices: [{ name: 'New' }] });
    const { slices, sources } = await read(service);
    expect(slices.map(({ name }: { name: string }) => name)).toEqual(['Bare', 'New']);
    expect(sources.map(({ source }: { source: string }) => source)).toEqual(['default', 'Host']);
  },
);

verifies(
  [
    'model:no-evidence',
    'model:verified',
    'model:failing',
    'model:no-spec',
    'model:slice-evidence',
    'model:skipped-is-no-verdict',
    'proof:coverage-by-arrival',
    'model:newest-verdict-by-at',
    'model:verdict-survives-eject',
  ],
  'a slice is verified by a pass, failing by a failure, verified again by the next; a skip, an eject and a restart change nothing',
  async () => {
    await using first = await start();
    await put(first, 'host', host);
    await put(first, 'specs', specs);
    expect([await stateOf(first), await stateOf(first, 'NotifyOwner')]).toEqual(['noEvidence', 'noSpec']);
    for (const [number, outcome, expected] of [
      [1, 'CleanPass', 'verified'],
      [2, 'Failed', 'failing'],
      [4, 'PassOnRetry', 'verified'],
      [3, 'Failed', 'failing'],
      [6, 'PassOnRetry', 'verified'],
      [5, 'Skipped', 'verified'],
    ] as const) {
      expect((await first.console('POST', '/api/ingest', runOf(number, outcome))).status).toBe(202);
      expect(await stateOf(first)).toBe(expected);
      const { text: svg } = await first.console('GET', `${model}/diagram?format=svg`);
      expect(svg).toContain(`CreditWallet: 1 spec, ${expected}`);
    }
    const stale = { ...runOf(6, 'Failed').events[1], at: '2026-01-01T10:05:59.000Z' };
    await first.console('POST', '/api/ingest', { events: [stale] });
    expect(await stateOf(first)).toBe('verified');
    expect((await first.console('DELETE', `/api/runs/${runId(6)}`)).status).toBe(204);
    await first.stop();
    await using second = await start({ home: first.home });
    expect((await read(second, '?slice=CreditWallet')).slices[0].evidence).toEqual({
      state: 'verified',
      specifications: [{ identity: credit, outcome: 'PassOnRetry', at: '2026-01-01T10:06:00.000Z', runId: runId(6) }],
    });
  },
);

verifies(
  ['coverage:shape', 'coverage:summary', 'coverage:undeclared', 'coverage:untouched'],
  'coverage counts the slices and lists drift both ways',
  async () => {
    await using service = await start();
    await put(service, 'host', host);
    await put(service, 'specs', specs);
    const touchedTypes = ['CreditWallet', 'FraudCheck'].map((name) => ({
      name,
      fullName: `Shop.${name}`,
      assemblyName: 'Shop',
    }));
    await service.console('POST', '/api/ingest', runOf(1, 'CleanPass', { touchedTypes }));
    const { status, body } = await service.console('GET', `${model}/coverage`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      model: 'Wallets',
      summary: { slices: 4, verified: 1, failing: 0, noEvidence: 2, noSpec: 1 },
    });
    expect(Object.keys(body.slices[0])).toEqual(['name', 'domain', 'chapter', 'pattern', 'evidence']);
    expect(body.drift.undeclared).toEqual([
      { name: 'FraudCheck', fullName: 'Shop.FraudCheck', assemblyName: 'Shop', slices: ['CreditWallet'] },
    ]);
    const untouched = body.drift.untouched.map(({ name }: { name: string }) => name);
    expect(untouched).toContain('WalletOpened');
    expect(untouched).not.toContain('CreditWallet');
  },
);

verifies(
  ['model:push-400-every-fault', 'model:source-pattern', 'model:reserved-sources'],
  'a bad push is told what is wrong, and stores nothing',
  async () => {
    await using service = await start();
    const raw = (path: string, body: string | Buffer, type = 'application/json') =>
      send(
        service.consoleUrl,
        'PUT',
        path,
        { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
        body,
      );
    const faults = await put(service, 'host', { slices: [{ name: 'A', pattern: 'X' }, { name: 'A' }] });
    expect([faults.status, faults.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['name', 'slices[0].pattern', 'slices[1].name'],
    ]);
    for (const [path, body, status] of [
      ['/host', '{"name": "W"', 400],
      ['/host', 'null', 400],
      ['/host', '', 400],
      ['/a.b', '{"name":"W"}', 400],
      ['/..%2f..%2fescape', '{"name":"W"}', 400],
      ['/coverage', '{"name":"W"}', 400],
      ['/DIAGRAM', '{"name":"W"}', 400],
      [`/${'a'.repeat(101)}`, '{"name":"W"}', 400],
    ] as const) {
      expect.soft((await raw(`${model}${path}`, body)).status, path).toBe(status);
    }
    expect((await raw(`${model}/host`, 'name: W', 'application/yaml')).status).toBe(415);
    expect((await service.console('GET', model)).status).toBe(404);
    expect(await readdir(join(service.dataPath, 'event-models')).catch(() => [])).toEqual([]);
    expect((await readdir(service.home)).some((name) => name.includes('escape'))).toBe(false);
  },
);

verifies(
  ['model:slice-evidence', 'scenario:pass-on-retry'],
  'evidence gives each scenario the outcome that its run gives it, also where worker and supervisor differ',
  async () => {
    await using service = await start();
    const run = { runId: runId(1) };
    const at = (minute: number) => `2026-01-01T10:0${minute}:00.000Z`;
    const finished = (uid: string, rest: object) => ({ type: 'scenario_finished', ...run, uid, attempts: 1, ...rest });
    const first = finished('A/retried', { outcome: 'Failed', at: at(2) });
    const events = [
      { type: 'scenario_started', ...run, uid: 'A/retried', attempt: 1, at: at(1) },
      first,
      { type: 'retry_scheduled', ...run, uid: 'A/retried', nextAttempt: 2, reason: 'timeout' },
      { type: 'scenario_started', ...run, uid: 'A/retried', attempt: 1, at: at(3) },
      finished('A/retried', { outcome: 'CleanPass', at: at(4) }),
      first,
      finished('A/otherwise spelled', { outcome: 'failed', at: at(4) }),
      finished('A/of another runner', { outcome: 'timed-out', at: at(4) }),
    ];
    const specifications = [...new Set(events.map(({ uid }) => uid))].map((identity) => ({ identity }));
    await put(service, 'specs', { name: 'Model', slices: [{ name: 'Slice', specifications }] });
    await service.console('POST', '/api/ingest', { events });
    const { scenarios } = (await service.console('GET', `/api/runs/${runId(1)}`)).body;
    const told = scenarios.map(({ uid, outcome }: Record<string, string>) => [uid, outcome]);
    const { evidence } = (await read(service)).slices[0];
    const known = evidence.specifications.map(({ identity, outcome }: Record<string, string>) => [identity, outcome]);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(told));
    expect(Object.fromEntries(known)).toMatchObject({ 'A/retried': 'PassOnRetry', 'A/otherwise spelled': 'Failed' });
    expect(evidence.state).toBe('failing');
  },
);

test('a push of 20 MB is too large, one of 7 MB is not', async () => {
  await using service = await start();
  const sized = (bytes: number) => ({ name: 'W', slices: [], note: 'x'.repeat(bytes) });
  const over = await put(service, 'big', sized(20_000_000)).catch(() => null);
  expect(over === null || over.status === 413).toBe(true);
  expect((await service.console('GET', model)).status).toBe(404);
  expect((await put(service, 'big', sized(7_000_000))).status).toBe(204);
});

verifies(
  ['model:narrowed', 'model:narrowed-to-nothing'],
  'the model is narrowed without case, and to an empty list where nothing fits',
  async () => {
    await using service = await start();
    await put(service, 'specs', specs);
    const names = async (query: string) =>
      (await read(service, query)).slices.map(({ name }: { name: string }) => name);
    expect(await names('?domain=BANKING&chapter=funding')).toEqual(['CreditWallet', 'WalletBalances']);
    expect(await names('?slice=openwallet')).toEqual(['OpenWallet']);
    expect(await names('?slice=nothing')).toEqual([]);
  },
);

verifies(
  ['diagram:formats', 'diagram:deterministic'],
  'the drawing comes as SVG and as Mermaid, the same every time',
  async () => {
    await using service = await start();
    await put(service, 'host', host);
    for (const [format, type, start_] of [
      ['svg', 'image/svg+xml', '<svg'],
      ['mermaid', 'text/plain', '%% Event Model Wallets\nflowchart LR'],
    ] as const) {
      const drawings = await Promise.all([1, 2].map(() => service.console('GET', `${model}/diagram?format=${format}`)));
      expect(drawings[0]?.headers.get('content-type')).toContain(type);
      expect(drawings[0]?.headers.get('content-security-policy')).toBeTruthy();
      expect(drawings[0]?.text.startsWith(start_)).toBe(true);
      expect(drawings[1]?.text).toBe(drawings[0]?.text);
    }
    const unknown = await service.console('GET', `${model}/diagram?format=png`);
    expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_format']);
  },
);

verifies('hub:event-model-changed', 'a push and a delete are announced on the hub, a refused push is not', async () => {
  await using service = await start();
  const stop = new AbortController();
  const headers = { accept: 'text/event-stream' };
  const feed = await fetch(`${service.url}/api/messages?types=event_model_changed`, { headers, signal: stop.signal });
  await put(service, 'host', host);
  await put(service, 'other', { name: 'Orders' });
  await service.console('DELETE', `${model}/host`);
  await put(service, 'other', { name: 'Orders' });
  let text = '';
  for await (const part of feed.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString();
    if (text.includes('Orders')) break;
  }
  stop.abort();
  const told = [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line ?? ''));
  const changes = told.filter(({ type }) => type === 'event_model_changed');
  expect(changes.map(({ subject, data }) => [subject, data])).toEqual([
    ['Wallets', { name: 'Wallets' }],
    ['Wallets', { name: 'Wallets' }],
    ['Orders', { name: 'Orders' }],
  ]);
});
