import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockDataPath } from '../../packages/service/src/store/data-path.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-owner-'));
afterAll(() => rmSync(folder, { recursive: true }));

test("a data path has one process: a second one is refused with the first's pid, and kill -9 frees it", async () => {
  const script = join(import.meta.dirname, 'hold-data-path.ts');
  const first = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(first.stdout, 'data');
    expect(() => lockDataPath(folder, '2026-01-01T09:00:00.000Z')).toThrow(`process ${first.pid} `);
  } finally {
    first.kill('SIGKILL');
    await once(first, 'close');
  }
  lockDataPath(folder, '2026-01-01T09:00:01.000Z').release();
});
