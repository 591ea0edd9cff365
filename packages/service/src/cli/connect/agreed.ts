import { createInterface } from 'node:readline/promises';

/** Asks at the terminal; without a terminal nothing is written. */
export async function agreed(folder: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stdout.write('Nothing was written: confirmation needs a terminal. Add --yes to write without asking.\n');
    return false;
  }
  const line = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await line.question(`Write this to ${folder}? [y/N] `);
  line.close();
  if (/^y(es)?$/i.test(answer.trim())) return true;
  process.stdout.write('Nothing was written.\n');
  return false;
}
