import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';

// Run as: node count-up.ts <postgres address> <host> <calls per client>. 64 clients increment shared counters, each
// decision based on the count in memory. Prints the number of answers, and any gap that its projection saw.
const [url = '', host = '', calls = '0'] = process.argv.slice(2);
const log = await openPostgresLog({ url, clock: systemClock });
const counts = new Map<string, number>();
let last = 0;
let gaps = 0;
await log.attach({
  apply({ sequence, stream, data }) {
    if (sequence !== last + 1) gaps += 1;
    last = sequence;
    counts.set(stream, (data as { count: number }).count);
  },
  reset: () => counts.clear(),
});

let answered = 0;
async function client(number: number): Promise<void> {
  for (let call = 0; call < Number(calls); call += 1) {
    const stream = `counter-${(number + call) % 4}`;
    const answer = await log.commit(() => {
      const count = (counts.get(stream) ?? 0) + 1;
      return {
        append: [{ stream, events: [{ type: 'counted', data: { count }, by: `${host}-${number}-${call}` }] }],
        answer: () => counts.get(stream) === count,
      };
    });
    if (answer !== true || isRefusal(answer)) throw new Error(`not counted: ${JSON.stringify(answer)}`);
    answered += 1;
  }
}
await Promise.all(Array.from({ length: 64 }, (_, number) => client(number)));
await log.close();
process.stdout.write(JSON.stringify({ answered, gaps }));
