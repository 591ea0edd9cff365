import { writeSync } from 'node:fs';
import { isRefusal } from '../../../packages/service/src/kernel/outcome.ts';
import { openLog } from '../../store/open-log.ts';

// Run as: node append-until-killed.ts <file or postgres address> <round>. Appends from many writers at once, every call
// with a key, and prints `<key> <stream> <version>` once the call is answered. Ends only by a signal.
const [store = '', round = ''] = process.argv.slice(2);
const log = await openLog(store);
const versions = new Map<string, number>();
await log.attach({ apply: ({ stream, version }) => versions.set(stream, version), reset: () => versions.clear() });

async function write(writer: number): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const key = `${round}-${writer}-${turn}`;
    const stream = `stream-${(writer + turn) % 8}`;
    const events = [{ type: 'appended', data: { key }, by: key }];
    const answer = await log.commit(() => ({ append: [{ stream, events }], answer: () => versions.get(stream) }), {
      key,
      fingerprint: key,
    });
    if (!isRefusal(answer)) writeSync(1, `${key} ${stream} ${answer}\n`);
  }
}

await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
