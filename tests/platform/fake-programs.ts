import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Puts programs with these names before the system's, each a shell script, until the test ends. With `alone` no other program is found. */
export async function withPrograms(scripts: Record<string, string>, { alone = false } = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  const before = process.env.PATH;
  process.env.PATH = alone ? folder : `${folder}${delimiter}${before}`;
  onTestFinished(async () => {
    process.env.PATH = before;
    await rm(folder, { recursive: true, force: true });
  });
}
