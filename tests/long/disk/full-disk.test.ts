import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { smallRun } from '../../recorded-run.ts';
import { start } from '../../start.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-full-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]).status === 0;
if (!mounted) process.stdout.write('no small disk can be mounted here: the shim under the disk fills it instead\n');
afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Fills the rest of the disk, to the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let size = 1 << 20; size > 0; size >>= 1) {
      try {
        for (;;) if (writeSync(file, Buffer.alloc(size, 'x')) < size) break;
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
    }
  } finally {
    closeSync(file);
  }
}

test.runIf(mounted)(
  'a full disk refuses what it cannot keep, reads go on, and room made again needs no restart',
  async () => {
    const DataPath = join(folder, 'data');
    const filler = join(folder, 'filler');
    await using service = await start({ settings: { DataPath } });
    const nodes = Array.from({ length: 200 }, (_, node) => ({ id: `n${node}` }));
    expect((await service.call('POST', '/api/plans', { plan: 'p', nodes })).status).toBe(201);
    const claim = (node: number) => service.call('POST', `/api/plans/p/nodes/n${node}/claim`, { agent: 'ada' });
    const ingest = (runId: string) => service.console('POST', '/api/ingest', { events: smallRun(runId) });
    expect([(await claim(0)).status, (await ingest('before')).status]).toEqual([200, 202]);

    fill(filler);
    const held = [0];
    let node = 1;
    // Pages that the file already has may still accept some data.
    for (; node < 200; node += 1) {
      const { status, body } = await claim(node);
      if (status === 200) held.push(node);
      else {
        expect([status, body.code]).toEqual([503, 'store_unavailable']);
        break;
      }
    }
    expect(node, 'a full disk refused nothing').toBeLessThan(200);
    const taken = await ingest('while-full');
    expect([202, 503]).toContain(taken.status);
    for (const path of ['/api/plans', '/api/plans/p/status', '/api/plans/ready'])
      expect((await service.call('GET', path)).status).toBe(200);
    expect((await service.console('GET', '/api/runs/before')).status).toBe(200);
    expect(service.logged()).toContain('the store cannot accept writes');

    rmSync(filler);
    expect([(await claim(node)).status, (await ingest('after')).status]).toEqual([200, 202]);
    held.push(node);
    expect(service.logged()).toContain('the store accepts writes again');
    await service.stop();
    await using again = await start({ settings: { DataPath } });
    const status = await again.call('GET', '/api/plans/p/status');
    const claimed = status.body.nodes.flatMap((one: { id: string; claimedBy: string | null }) =>
      one.claimedBy ? [one.id] : [],
    );
    expect(claimed.sort()).toEqual(held.map((one) => `n${one}`).sort());
    const runs = taken.status === 202 ? ['after', 'before', 'while-full'] : ['after', 'before'];
    expect((await again.console('GET', '/api/runs')).body.map(({ runId }: { runId: string }) => runId).sort()).toEqual(
      runs,
    );
  },
);
