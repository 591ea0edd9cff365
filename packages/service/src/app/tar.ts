import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { flushPath, renameDurably } from '../files/durable-file.ts';

const run = promisify(execFile);

/** Packs what is in the folder with the system's own tar, in the format that keeps fractions of a second. */
export async function pack(folder: string, file: string): Promise<void> {
  // Created with mode 600 before tar writes to it.
  await writeFile(`${file}.new`, '', { mode: 0o600 });
  await run('tar', ['--format=pax', '-czf', `${file}.new`, '-C', folder, '.']);
  await flushPath(`${file}.new`);
  await renameDurably(`${file}.new`, file);
}

export async function unpack(file: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await run('tar', ['-xzf', file, '-C', folder]);
}
