import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { host, specs } from '../../packages/event-model/testing/wallets.ts';
import { backUp } from '../../packages/service/src/app/backup.ts';
import { type Config, readConfig } from '../../packages/service/src/app/config.ts';
import { restore } from '../../packages/service/src/app/restore.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { signalbox, startedProcess } from '../spawn.ts';
import { caller, start } from '../start.ts';
import { filesIn } from './damage.ts';

const scratch = () => mkdtempSync(join(tmpdir(), 'signalbox-keeping-'));

/** Runs a command in that home and returns its output and exit code. */
async function say(home: string, ...words: string[]) {
  await using spawned = signalbox(words, {}, home);
  const code = await spawned.ended;
  return { code, out: spawned.out(), err: spawned.err() };
}

test('a backup taken under load and restored elsewhere holds everything that was answered before it began', async () => {
  const folder = scratch();
  try {
    await using service = await startedProcess({ Service__LicenceGate: 'off', Service__RetentionRuns: '0' });
    const [call, console] = [caller(service.url), caller(service.consoleUrl)];
    await call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
    const model = { name: 'Shop', slices: [{ name: 'Pay' }] };
    expect((await console('PUT', '/api/event-model/host', model)).status).toBe(204);
    const answered = { nodes: [] as string[], runs: [] as string[] };
    let running = true;
    const load = (async () => {
      for (let turn = 0; running; turn += 1) {
        const [node, run] = [`n${turn}`, `r${turn}`];
        const made = await call('POST', '/api/plans/p/nodes', { id: node });
        if (made.status === 201) answered.nodes.push(node);
        const taken = await console('POST', '/api/ingest', { events: wholeRun(run, 'Cart/total', 'CleanPass') });
        if (taken.status === 202) answered.runs.push(run);
      }
    })();
    while (answered.runs.length < 20) await new Promise((resolve) => setTimeout(resolve, 10));

    const before = { nodes: [...answered.nodes], runs: [...answered.runs] };
    const packed = join(folder, 'monday.tar.gz');
    const told = await say(service.home, 'backup', packed);
    running = false;
    await load;
    expect([told.code, told.err]).toEqual([0, '']);
    expect(told.out).toMatch(
      /^Backed up .*\n {2}store {3}\d+ events, each compared with its checksum\n {2}files .*\nTo restore it, stop the service/,
    );
    expect(readdirSync(folder)).toEqual(['monday.tar.gz']);
    expect(statSync(packed).mode & 0o077).toBe(0);

    const home = join(folder, 'elsewhere');
    mkdirSync(home);
    const restored = await say(home, 'restore', packed);
    expect([restored.code, restored.err]).toEqual([0, '']);
    expect(restored.out).toMatch(
      /^Restored into .*: audit\.ndjson, event-models, runs, runs\.sqlite, signalbox\.sqlite\n/,
    );
    await using again = await start({ home, settings: { LicenceGate: 'off', RetentionDays: '0', RetentionRuns: '0' } });
    const ids = (await again.call('GET', '/api/plans/p')).body.nodes.map(({ id }: { id: string }) => id);
    const runs = (await again.call('GET', '/api/runs')).body.map(({ runId }: { runId: string }) => runId);
    expect(before.nodes.filter((id) => !ids.includes(id))).toEqual([]);
    expect(before.runs.filter((id) => !runs.includes(id))).toEqual([]);
    expect((await again.call('GET', '/api/event-model')).body).toMatchObject({
      name: 'Shop',
      slices: [{ name: 'Pay' }],
    });
    const there = (await call('GET', '/api/plans/p/history')).body;
    const here = (await again.call('GET', '/api/plans/p/history')).body;
    expect(here).toEqual(there.slice(0, here.length));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const at = '2026-01-01T09:00:00.000Z';
const configOf = (home: string): Config => readConfig({ env: {}, args: [], cwd: home, home }).config;

test('a backup overwrites nothing, and a restore only on request, setting the old data aside', async () => {
  const home = scratch();
  const [config, kept] = [configOf(home), join(home, 'one')];
  try {
    const service = await start({ home, settings: { LicenceGate: 'off' } });
    await service.call('POST', '/api/plans', { plan: 'first', nodes: [] });
    expect(await backUp(config, kept, at)).toMatchObject({ store: 'sqlite', events: 1, sequence: 1, at });
    await expect(backUp(config, kept, at)).rejects.toThrow('exists. Choose a new name');
    await expect(backUp(config, join(config.dataPath, 'kept'), at)).rejects.toThrow('is inside the data path');
    await service.call('POST', '/api/plans', { plan: 'second', nodes: [] });

    await expect(restore(config, kept, true, at)).rejects.toThrow(/in use by process \d+/);
    await service.stop();
    await expect(restore(config, kept, false, at)).rejects.toThrow(
      /already holds .*signalbox\.sqlite.*\. Nothing was changed/,
    );
    const { replacedFolder: setAside } = await restore(config, kept, true, at);
    await using again = await start({ home });
    const plans = (await again.call('GET', '/api/plans')).body.map(({ slug }: { slug: string }) => slug);
    expect(plans).toEqual(['first']);
    expect(existsSync(join(setAside ?? '', 'signalbox.sqlite'))).toBe(true);
  } finally {
    rmSync(home, { recursive: true });
  }
});

test('a backup of 0.2.0 that holds verdicts in a file is restored and taken over', async () => {
  const home = scratch();
  const [config, kept] = [configOf(home), join(home, 'whole')];
  try {
    await (await start({ home })).stop();
    await backUp(config, kept, at);
    rmSync(join(kept, 'runs.sqlite'));
    const verdict = { outcome: 'CleanPass', at, runId: 'r1', receivedAt: at, touchedTypes: null };
    const identity = 'Wallet/crediting adds funds';
    writeFileSync(join(kept, 'verdicts.ndjson'), `${JSON.stringify({ identity, ...verdict })}\n`);
    const [manifest, contents] = [join(kept, 'backup.json'), filesIn(kept)];
    const { signalbox: by, store, events, sequence } = JSON.parse(readFileSync(manifest, 'utf8'));
    const files = contents.filter((path) => path !== 'backup.json');
    const bytes = files.reduce((sum, path) => sum + statSync(join(kept, path)).size, 0);
    writeFileSync(manifest, JSON.stringify({ signalbox: by, at, store, events, sequence, files: files.length, bytes }));
    const elsewhere = join(home, 'elsewhere');
    await restore({ ...config, dataPath: join(elsewhere, '.signalbox') }, kept, false, at);
    await using service = await start({ home: elsewhere });
    await service.console('PUT', '/api/event-model/host', host);
    await service.console('PUT', '/api/event-model/specs', specs);
    const { slices } = (await service.console('GET', '/api/event-model?slice=CreditWallet')).body;
    expect(slices[0].evidence).toMatchObject({ state: 'verified', specifications: [{ identity, runId: 'r1' }] });
    expect(readdirSync(service.dataPath)).not.toContain('verdicts.ndjson');
    expect(readdirSync(join(service.dataPath, 'runs', 'before-0.3'))).toEqual(['verdicts.ndjson']);
  } finally {
    rmSync(home, { recursive: true });
  }
});

test('an incomplete backup is not restored', async () => {
  const home = scratch();
  const [config, kept] = [configOf(home), join(home, 'whole')];
  try {
    const service = await start({ home });
    await service.stop();
    await backUp(config, kept, at);
    const manifest = join(kept, 'backup.json');
    const written = JSON.parse(readFileSync(manifest, 'utf8'));
    writeFileSync(manifest, JSON.stringify({ ...written, events: 7 }));
    await expect(restore(config, kept, true, at)).rejects.toThrow('its backup.json differs from what was written');
    writeFileSync(manifest, '{"events":');
    await expect(restore(config, kept, true, at)).rejects.toThrow('its backup.json differs from what was written');
    // In the format of 0.2.0: no file is listed, so only their number and the events can be checked.
    const { signalbox: by, store, sequence, files, bytes } = written;
    writeFileSync(manifest, JSON.stringify({ signalbox: by, at, store, events: 7, sequence, files, bytes }));
    await expect(restore(config, kept, true, at)).rejects.toThrow('expected 7 events, found 0');
    writeFileSync(manifest, JSON.stringify({ signalbox: by, at, store, events: 0, sequence: 3, files, bytes }));
    await expect(restore(config, kept, true, at)).rejects.toThrow('expected the last event to be number 3, found 0');
    writeFileSync(manifest, JSON.stringify({ signalbox: by, at, store, events: 0, sequence, files: 99, bytes }));
    await expect(restore(config, kept, true, at)).rejects.toThrow('expected 99 files');
    rmSync(manifest);
    await expect(restore(config, kept, true, at)).rejects.toThrow('not a complete backup');
    await expect(restore(config, join(home, 'nowhere'), true, at)).rejects.toThrow('does not exist');
    expect(readdirSync(service.dataPath)).not.toContain('restoring');
  } finally {
    rmSync(home, { recursive: true });
  }
});
