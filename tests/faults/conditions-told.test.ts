import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { diagnose } from '../../packages/service/src/app/diagnose.ts';
import { recover } from '../../packages/service/src/app/recover.ts';
import { type ConditionCode, conditionCodes } from '../../packages/service/src/kernel/conditions.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { cli, signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-conditions-'));
const disk = join(folder, 'disk');
mkdirSync(disk);
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true });
});
const hour = 3_600_000;
/** Each condition is injected once, and every watcher shows it. */
const injected = new Set<string>();

/** Moves the service's clock on by ten seconds. */
async function later({ clock }: Started): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    clock.advance(5_000);
    await clock.tick();
  }
}

const codesOf = (body: { conditions: { code: string }[] }): string[] => body.conditions.map(({ code }) => code);

/** The conditions that each watcher shows: both ports, the metrics, doctor. */
async function watchers(service: Started, settings: Record<string, string> = {}) {
  const [ready, console] = [await service.call('GET', '/api/ready'), await service.console('GET', '/api/ready')];
  expect(codesOf(console.body)).toEqual(codesOf(ready.body));
  const metrics = (await service.call('GET', '/metrics')).text;
  const measured = [...metrics.matchAll(/^signalbox_condition\{code="(\w+)"\} 1$/gm)].map(([, code]) => code);
  const { running } = service;
  const urls = { Service__GitHubUrl: service.url, Service__NpmRegistryUrl: service.url };
  const env = {
    ...urls,
    HOME: service.home,
    PORT: `${running.coordination.port},${running.console.port}`,
    Service__DataPath: service.dataPath,
    ...settings,
  };
  const findings = await diagnose({ env, args: [], cwd: service.home, home: service.home });
  const told = findings.filter(({ state }) => state !== 'ok').map(({ about }) => about.replaceAll(' ', '_'));
  expect(Number(/^signalbox_ready (\d)$/m.exec(metrics)?.[1])).toBe(ready.status === 200 ? 1 : 0);
  return { status: ready.status, codes: codesOf(ready.body), measured, doctor: told };
}

async function expectCondition(
  service: Started,
  code: ConditionCode,
  status: number,
  settings?: Record<string, string>,
) {
  const seen = await watchers(service, settings);
  expect(seen).toMatchObject({
    status,
    codes: expect.arrayContaining([code]),
    measured: expect.arrayContaining([code]),
    doctor: expect.arrayContaining([code]),
  });
  expect(service.logged()).toContain(`"condition":"${code}"`);
  injected.add(code);
}

async function expectGone(service: Started, code: ConditionCode, settings?: Record<string, string>) {
  const seen = await watchers(service, settings);
  for (const list of [seen.codes, seen.measured, seen.doctor]) expect(list).not.toContain(code);
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  for (let size = 1 << 20; size > 0; size >>= 1) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(size, 'x')) < size) break;
    } catch {
      // Less fits.
    }
  }
  closeSync(file);
}

test.runIf(mounted)(
  'a full disk is reported by every watcher, a start on it serves reads, and free space ends it',
  async () => {
    const settings = { DataPath: join(disk, 'data'), MinFreeMb: '1' };
    const first = await start({ settings });
    const nodes = Array.from({ length: 400 }, (_, node) => ({ id: `n${node}` }));
    await first.call('POST', '/api/plans', { plan: 'p', nodes });
    await first.console('POST', '/api/ingest', { events: wholeRun('r1', 'Cart/total', 'CleanPass') });
    await first.stop();
    // The state after a crash in the middle of a line.
    writeFileSync(join(settings.DataPath, 'audit.ndjson'), '{"torn', { flag: 'a' });
    const filler = join(disk, 'filler');
    fill(filler);
    await using service = await start({ home: first.home, settings });
    onTestFinished(() => rmSync(first.home, { recursive: true, force: true }));
    expect((await service.call('GET', '/api/plans/p')).status).toBe(200);
    expect((await service.console('GET', '/api/runs')).body).toHaveLength(1);
    await expectCondition(service, 'disk_full', 503);
    for (let node = 0; node < 400; node += 1)
      if ((await service.call('POST', `/api/plans/p/nodes/n${node}/claim`, { agent: 'ada' })).status === 503) break;
    await expectCondition(service, 'store_not_writable', 503);
    expect(
      (await service.console('POST', '/api/ingest', { events: wholeRun('r2', 'Cart/total', 'CleanPass') })).status,
    ).toBe(503);
    await expectCondition(service, 'runs_not_writable', 503);
    const env = { PORT: String(service.running.coordination.port), Service__DataPath: settings.DataPath };
    await using status = signalbox(['status'], env, service.home);
    expect([await status.ended, status.out()]).toEqual([
      0,
      expect.stringMatching(/^NOT READY .*Free space[\s\S]*3 things need you/),
    ]);
    await using ready = signalbox(['status', '--ready'], env, service.home);
    expect([await ready.ended, ready.out()]).toEqual([1, expect.stringContaining('not ready\n')]);
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    rmSync(filler);
    await later(service);
    for (const code of ['disk_full', 'store_not_writable', 'runs_not_writable'] as const)
      await expectGone(service, code);
    expect((await service.call('POST', '/api/plans/p/nodes/n399/claim', { agent: 'ada' })).status).toBe(200);
  },
);

test('an expired, a not yet valid and an expiring certificate are reported over TLS, and renewal ends it', async () => {
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const renew = () =>
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '30',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
  renew();
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  onTestFinished(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  const now = Date.now();
  const clock = createSettableClock(now);
  await using service = await start({ settings: { TlsCert: cert, TlsKey: key }, clock });
  const tls = { Service__TlsCert: cert, Service__TlsKey: key };
  const { doctor } = await watchers(service, tls);
  expect(doctor).not.toContain('coordination_port');
  const days = async () =>
    Number(/^signalbox_tls_days_left (\S+)$/m.exec((await service.call('GET', '/metrics')).text)?.[1]);
  expect(Math.round(await days())).toBe(30);
  clock.setWall(now + 20 * 24 * hour);
  await later(service);
  await expectCondition(service, 'certificate_ends_soon', 200, tls);
  clock.setWall(now + 31 * 24 * hour);
  await later(service);
  await expectCondition(service, 'certificate_expired', 503, tls);
  clock.setWall(now - 24 * hour);
  await later(service);
  await expectCondition(service, 'certificate_not_yet_valid', 503, tls);
  clock.setWall(now + 31 * 24 * hour);
  await later(service);
  // For this clock, a certificate that becomes valid later is a renewal.
  clock.setWall(now + hour);
  renew();
  await later(service);
  await expectGone(service, 'certificate_expired', tls);
});

test('a clock set back is reported at once and after a restart, until it is right again', async () => {
  const home = mkdtempSync(join(folder, 'clock-'));
  const clock = createSettableClock();
  const first = await start({ home, clock });
  clock.advance(hour);
  await first.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'a' }] });
  await later(first);
  clock.setWall(clock.wall() - hour);
  await later(first);
  await expectCondition(first, 'clock_went_back', 200);
  await first.stop();
  await using again = await start({ home, clock });
  await expectCondition(again, 'clock_went_back', 200);
  clock.advance(2 * hour);
  await later(again);
  await expectGone(again, 'clock_went_back');
});

test('a damaged snapshot and rejected notifications are reported until they are fixed', async () => {
  const home = mkdtempSync(join(folder, 'told-'));
  const first = await start({ home });
  await first.stop();
  writeFileSync(join(first.dataPath, 'snapshot'), 'not a snapshot');
  let answer = 500;
  const hook = createServer((request, response) => {
    request.resume();
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void hook.close());
  const Notify = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  await using service = await start({ home, settings: { Notify } });
  await expectCondition(service, 'snapshot_unusable', 200);
  rmSync(join(service.dataPath, 'snapshot'));
  await later(service);
  await expectGone(service, 'snapshot_unusable');
  const failRun = (run: string) =>
    service.console('POST', '/api/ingest', { events: wholeRun(run, 'Cart/total', 'Failed') });
  answer = 404;
  const codesLater = async () => {
    await later(service);
    return codesOf((await service.call('GET', '/api/ready')).body);
  };
  await failRun('r1');
  await expect.poll(codesLater).toContain('notifications_failing');
  await expectCondition(service, 'notifications_failing', 200);
  answer = 200;
  await failRun('r2');
  await expect.poll(codesLater).not.toContain('notifications_failing');
});

test('a service that cannot back itself up reports it once the last backup is too old', async () => {
  const BackupPath = join(folder, 'in-the-way');
  writeFileSync(BackupPath, 'a file');
  await using service = await start({ settings: { BackupPath, BackupEvery: '1' } });
  await service.call('POST', '/api/plans', { plan: 'p', nodes: [] });
  service.clock.advance(3 * hour);
  await later(service);
  await expectCondition(service, 'backup_too_old', 200);
  rmSync(BackupPath);
  service.clock.advance(hour);
  await service.clock.tick();
  await expect.poll(service.logged).toContain('backed up and verified');
  await later(service);
  await expectGone(service, 'backup_too_old');
});

test('damage is reported with its remedy, which ends the condition', async () => {
  const home = mkdtempSync(join(folder, 'damage-'));
  const service = await start({ home });
  await service.call('POST', '/api/plans', { plan: 'p', title: 'Prices' });
  const database = new DatabaseSync(join(service.dataPath, 'signalbox.sqlite'));
  database.exec(`UPDATE events SET data = replace(data, 'Prices', 'Prizes')`);
  database.close();
  await service.call('GET', '/api/plans/p/history');
  await expectCondition(service, 'store_damaged', 503);
  expect((await watchers(service)).doctor).toContain('store');
  await service.stop();
  const { dataPath } = service;
  await recover({ dataPath, source: dataPath, replace: false, check: false, at: '2026-01-01T10:00:00.000Z' });
  await using again = await start({ home });
  await expectGone(again, 'store_damaged');
});

test('an unreachable database is reported with the time, logged when it goes and returns, and recovers by itself', async () => {
  await using proxy = await openCuttingProxy();
  const Store = proxy.through(await cloneDatabase());
  await using service = await start({ settings: { Store, HostName: 'one' } });
  proxy.refuse(true);
  proxy.cut();
  await expect.poll(async () => (await service.call('GET', '/api/ready')).status).toBe(503);
  await later(service);
  const settings = { Service__Store: Store, Service__HostName: 'one' };
  await expectCondition(service, 'database_away', 503, settings);
  const { body } = await service.call('GET', '/api/ready');
  expect(body.conditions).toMatchObject([{ code: 'database_away', detail: expect.stringMatching(/since \d{4}-/) }]);
  expect((await service.call('GET', '/metrics')).text).toContain('\nsignalbox_store_up 0\n');
  proxy.refuse(false);
  await expect.poll(async () => (await service.call('GET', '/api/ready')).status).toBe(200);
  await later(service);
  await expectGone(service, 'database_away', settings);
  expect(service.logged()).toMatch(/the database cannot be reached[\s\S]*the database can be reached again/);
});

const nobody = 65_534;
const canBeNobody =
  spawnSync(process.execPath, [cli, '--version'], { uid: nobody, gid: nobody, env: { HOME: folder } }).status === 0;

test.runIf(canBeNobody)(
  'a file of another owner is told while the service runs, and ends the next start with one sentence',
  async () => {
    const home = mkdtempSync(join(folder, 'owner-'));
    chmodSync(folder, 0o755);
    chownSync(home, nobody, nobody);
    const begin = () => {
      const env = { HOME: home, PORT: '0,0', PATH: process.env.PATH, XDG_CACHE_HOME: join(home, 'cache') };
      const child = spawn(process.execPath, [cli, 'start'], { uid: nobody, gid: nobody, env, cwd: home });
      let out = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += piece));
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      return { child, out: () => out, ended };
    };
    const first = begin();
    await expect.poll(first.out).toMatch(/reference/);
    const [, url = ''] = /coordination +(\S+)/.exec(first.out()) ?? [];
    const codes = async () => codesOf((await (await fetch(`${url}/api/ready`)).json()) as never);
    const audit = join(home, '.signalbox', 'audit.ndjson');
    chownSync(audit, 0, 0);
    await expect.poll(codes).toEqual(['data_path_not_writable']);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('\nsignalbox_condition{code="data_path_not_writable"} 1\n');
    const PORT = `${new URL(url).port},${new URL(url).port}`;
    const findings = await diagnose({ env: { HOME: home, PORT }, args: [], cwd: home, home });
    expect(findings).toContainEqual(expect.objectContaining({ about: 'data path not writable', state: 'wrong' }));
    injected.add('data_path_not_writable');
    chownSync(audit, nobody, nobody);
    await expect.poll(codes).toEqual([]);
    first.child.kill('SIGTERM');
    await first.ended;
    chownSync(audit, 0, 0);
    const second = begin();
    expect(await second.ended).toBe(1);
    expect(second.out()).toMatch(
      /^This user cannot write \S+audit\.ndjson \(it belongs to user 0\)\. Run "sudo chown[^\n]*\n$/,
    );
    chownSync(join(home, '.signalbox'), 0, 0);
    expect(readFileSync(audit, 'utf8')).toBe('');
  },
);

test.runIf(mounted && canBeNobody)('every condition of the list was injected above, or in tests/oidc', () => {
  injected.add('sign_in_provider_away');
  expect([...injected].sort()).toEqual([...conditionCodes].sort());
});
