import { writeSync } from 'node:fs';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/event-log.ts';
import { realClock } from './real-clock.ts';

// Run as: node append-until-killed.ts <file> <round>. Appends from many writers at once, every call under a key, and
// prints `<key> <stream> <version>` once the call was answered. Ends only by a signal.
const [path = '', round = ''] = process.argv.slice(2);
const log = openSqliteLog({ path, clock: realClock });
const versions = new Map<string, number>();
await log.attach({ apply: ({ stream, version }) => versions.set(stream, version), reset: () => versions.clear() });

async function write(writer: number): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const key = `${round}-${writer}-${turn}`;
    const stream = `stream-${(writer + turn) % 8}`;
    const events = [{ type: 'appended', data: { key }, by: key }];
    const version = await log.commit(() => ({ append: [{ stream, events }], answer: () => versions.get(stream) }), {
      key,
      fingerprint: key,
    });
    writeSync(1, `${key} ${stream} ${version}\n`);
  }
}

await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
