import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { serverUser } from '../postgres/binaries.ts';
import { cloneDatabase } from '../postgres/clone.ts';

const program = process.env.SIGNALBOX_PGBOUNCER ?? 'pgbouncer';
const isThere = spawnSync(program, ['--version']).status === 0;
if (!isThere) process.stdout.write('pgbouncer is not installed: what stands behind a pooler is not tried\n');

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function pooled(mode: 'session' | 'transaction', work: (url: string) => Promise<void>): Promise<void> {
  const url = new URL(await cloneDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-pooler-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const settings = `[databases]\n* = host=${url.hostname} port=${url.port}\n[pgbouncer]\nlisten_addr=127.0.0.1
listen_port=${port}\nunix_socket_dir=\nauth_type=any\nauth_file=\npool_mode=${mode}\nignore_startup_parameters=extra_float_digits\n`;
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.replace('* = host', '* = user=postgres host'));
  const pooler = spawn(program, [join(folder, 'pgbouncer.ini')], { ...serverUser, stdio: 'ignore' });
  url.port = String(port);
  try {
    for (let tries = 0; ; tries += 1) {
      const client = new pg.Client({ connectionString: url.href });
      const up = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (up) break;
      if (tries > 2_400) throw new Error('no pooler came up');
      await pause(50);
    }
    await work(url.href);
  } finally {
    pooler.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

test.runIf(isThere)('a pooler in transaction mode is refused at the start, with the reason', () =>
  pooled('transaction', async (url) => {
    await expect(openPostgresLog({ url, clock: systemClock })).rejects.toThrow(/pooler in transaction mode.*session/);
  }),
);

test.runIf(isThere)('behind a pooler in session mode hosts hear each other', () =>
  pooled('session', async (url) => {
    const [ada, bob] = [
      await openPostgresLog({ url, clock: systemClock }),
      await openPostgresLog({ url, clock: systemClock }),
    ];
    const heard = new Promise<number>((resolve) => bob.onCommitted(([event]) => resolve(event?.sequence ?? 0)));
    await bob.attach({ apply: () => undefined, reset: () => undefined });
    const events = [{ type: 'a', data: null, by: 'ada' }];
    await ada.commit(() => ({ append: [{ stream: 's', events }], answer: () => null }));
    expect(await heard).toBe(1);
    await ada.close();
    await bob.close();
  }),
);
