import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Append } from '../packages/service/src/kernel/event-log.ts';
import { StreamVersions, stampEvents } from '../packages/service/src/store/folded-state.ts';
import type { RawEvent } from '../packages/service/src/store/raw-event.ts';
import { writeRawSqlite } from '../packages/service/src/store/sqlite/sqlite-raw.ts';
import { startedProcess } from '../tests/spawn.ts';

// A log that only grows: 2,000 nodes claimed, reported on and released again and again, a note with every tenth report.
// How soon the service listens, and its memory, without a snapshot and with the one written at shutdown.
const sizes = (process.env.SIGNALBOX_EVENTS ?? '0,100000,1000000').split(',').map(Number);
const nodes = 2_000;
const began = Date.UTC(2026, 0, 1);

function* pagesOf(events: number): Iterable<RawEvent[]> {
  const versions = new StreamVersions();
  let sequence = 0;
  const stamped = (append: Append): RawEvent[] =>
    stampEvents([append], new Date(began + sequence * 1_000).toISOString(), versions, sequence).map(
      ({ event, text }) => {
        sequence = event.sequence;
        versions.reach(event.stream, event.version);
        return { ...event, data: text };
      },
    );
  const ids = Array.from({ length: nodes }, (_, at) => `n${at}`);
  const document = { plan: 'bench', nodes: ids.map((id) => ({ id })) };
  yield stamped({
    stream: 'plan:bench',
    events: [{ type: 'plan_created', data: { document, source: 'api' }, by: 'ada' }],
  });
  for (let turn = 0; sequence < events; turn += 1) {
    const id = ids[turn % nodes] ?? '';
    const agent = `agent-${turn % 64}`;
    const at = began + sequence * 1_000;
    const [session, leaseMinutes, fence] = [null, 30, at];
    const expiresAt = new Date(at + 1_800_000).toISOString();
    const claimed = { id, agent, session, expiresAt, fence, renewed: false, leaseMinutes };
    const note = turn % 10 === 0 ? `half of it is done, turn ${turn}` : null;
    const reported = { id, agent, note, expiresAt, session, leaseMinutes };
    const released = { id, agent, health: 'unlinked', reason: null };
    const stream = `claim:bench/${id}`;
    const happened = { node_claimed: claimed, claim_reported: reported, claim_released: released };
    const list = Object.entries(happened).map(([type, data]) => ({ type, data, by: agent }));
    yield stamped({ stream, topic: 'plan:bench', events: list });
  }
}

async function* inTurn(pages: Iterable<RawEvent[]>): AsyncIterable<RawEvent[]> {
  yield* pages;
}

type Start = { ms: number; cpuMs: number; mb: number };

/** Ticks are hundredths of a second. On a shared machine CPU time is more meaningful than wall time. */
function processorMs(pid: number): number {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
  return (user + system) * 10;
}

async function measure(home: string): Promise<Start> {
  const from = performance.now();
  await using service = await startedProcess({ Service__LicenceGate: 'off' }, [], home);
  const ms = performance.now() - from;
  const cpuMs = processorMs(service.child.pid ?? 0);
  const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]);
  service.child.kill('SIGTERM');
  await service.ended;
  return { ms: Math.round(ms), cpuMs, mb: Math.round(kb / 1024) };
}

console.log('| events | store | without a snapshot | with one | its size |\n|---|---|---|---|---|');
for (const events of sizes) {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-history-'));
  const folder = join(home, '.signalbox');
  mkdirSync(folder, { recursive: true });
  await writeRawSqlite(join(folder, 'signalbox.sqlite'), inTurn(pagesOf(events)), []);
  const sizeOf = (file: string) => `${(statSync(join(folder, file)).size / 2 ** 20).toFixed(1)} MB`;
  const without = await measure(home);
  const runs = [await measure(home), await measure(home), await measure(home)].sort((a, b) => a.cpuMs - b.cpuMs);
  const told = ({ ms, cpuMs, mb }: Start) => `${ms} ms (${cpuMs} ms of processor), ${mb} MB`;
  const rest = [told(without), told(runs[1] ?? without), events < 5_000 ? '-' : sizeOf('snapshot')];
  console.log(`| ${events} | ${sizeOf('signalbox.sqlite')} | ${rest.join(' | ')} |`);
  rmSync(home, { recursive: true });
}
