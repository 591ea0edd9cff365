import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../packages/service/src/app/system-clock.ts';
import type { RecordedEvent } from '../../../packages/service/src/kernel/event-log.ts';
import { isRefusal } from '../../../packages/service/src/kernel/outcome.ts';
import type { StoreTrouble } from '../../../packages/service/src/store/group-commit.ts';
import { openSqliteLog } from '../../../packages/service/src/store/sqlite/sqlite-log.ts';
import { calls, everyCall, type Order, openControl } from './control.ts';

// Run under the shim as: node fail-store.ts <root> <first> <stride>. Fails the k-th call of each kind, for k = first,
// first + stride, until none is left. Prints what is wrong, then one line of figures. The log is opened completely
// before the disk fails.
const [root = '', first = '1', stride = '1'] = process.argv.slice(2);
const control = openControl();
const wrong: string[] = [];
const figures = { tries: 0, fired: 0, answered: 0, refused: 0 };

type Ends = { ok: string[]; refused: string[]; okAfterFault: number; said: StoreTrouble[] };

/** Some rounds of calls that share flushes, on a disk that fails once in between. */
async function write(path: string, order: Order): Promise<Ends & { seen: number; fired: number }> {
  const ends: Ends = { ok: [], refused: [], okAfterFault: 0, said: [] };
  const log = openSqliteLog({ path, clock: systemClock, say: (trouble) => ends.said.push(trouble) });
  await log.attach({ apply: () => undefined, reset: () => undefined });
  control.arm(order);
  for (let round = 0; round < 5; round += 1) {
    const keys = [0, 1, 2].map((n) => `${round}-${n}`);
    const answers = keys.map(async (key) => {
      const events = [{ type: 'appended', data: 'x'.repeat(2_000), by: key }];
      const answer = await log.commit(() => ({ append: [{ stream: `s${key}`, events }], answer: () => key }));
      (isRefusal(answer) ? ends.refused : ends.ok).push(key);
      if (!isRefusal(answer) && ends.refused.length > 0) ends.okAfterFault += 1;
    });
    await Promise.all(answers);
  }
  const counted = control.disarm();
  await log.close().catch(() => undefined);
  return { ...ends, ...counted };
}

async function storedStreams(path: string): Promise<Set<string>> {
  const log = openSqliteLog({ path, clock: systemClock });
  const events: RecordedEvent[] = [];
  await log.attach({ apply: (event) => events.push(event), reset: () => events.splice(0) });
  await log.close();
  if (events.some(({ sequence }, index) => sequence !== index + 1)) wrong.push(`${path}: a gap in the log`);
  return new Set(events.map(({ by }) => by));
}

async function tryOne(order: Order): Promise<boolean> {
  const folder = join(root, 'try');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const path = join(folder, 'events.sqlite');
  const what = JSON.stringify(order);
  const { ok, refused, okAfterFault, said, seen, fired } = await write(path, order);
  const there = await storedStreams(path);
  for (const key of ok) if (!there.has(key)) wrong.push(`${what}: answered, not kept: ${key}`);
  // After a failed flush the outcome is unknown; after a full disk it is known.
  if (order.kind !== 'EIO')
    for (const key of refused) if (there.has(key)) wrong.push(`${what}: refused, yet kept: ${key}`);
  if (order.kind === 'EIO' && okAfterFault > 0) wrong.push(`${what}: went on answering after the disk failed`);
  if (refused.length > 0 && said.length === 0) wrong.push(`${what}: refused without saying why`);
  figures.tries += 1;
  figures.fired += fired > 0 ? 1 : 0;
  figures.answered += ok.length;
  figures.refused += refused.length;
  return seen >= order.at;
}

for (const kind of ['EIO', 'ENOSPC', 'short'] as const) {
  const masks = kind === 'short' ? [calls.write] : [calls.write, calls.sync, everyCall];
  for (const mask of masks) {
    for (const sticky of kind === 'ENOSPC' ? [false, true] : [false]) {
      for (let at = Number(first); await tryOne({ kind, mask, at, sticky }); at += Number(stride));
    }
  }
}
for (const line of wrong) process.stdout.write(`wrong ${line}\n`);
process.stdout.write(`${JSON.stringify(figures)}\n`);
