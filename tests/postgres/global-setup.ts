import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Creates only a folder: the first test file that needs a database starts the server in it. */
export function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-postgres-'));
  project.provide('postgres', { folder, runner: process.pid });
  return async () => {
    const keeper = join(folder, 'keeper');
    if (existsSync(keeper)) await ended(Number(readFileSync(keeper, 'utf8')));
    rmSync(folder, { recursive: true, force: true });
  };
}

async function ended(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGTERM');
    for (;;) {
      process.kill(pid, 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } catch {
    // It has already ended.
  }
}
