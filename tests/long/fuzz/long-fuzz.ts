import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf } from '../../random.ts';
import { caller } from '../../start.ts';
import { newMcpClient } from '../../transports.ts';
import { mostPieces, partsOf, type Watched } from '../loop/never-still.ts';
import { longAskOf } from './long-asks.ts';
import { send } from './send-request.ts';

export type LongFuzzReport = {
  sent: number;
  statuses: Record<string, number>;
  /** The longest uninterrupted computation of the service, and the requests in progress then. */
  busyMs: number;
  during: string;
  /** The longest time of the bare work next to the service. */
  bareMs: number;
  /** The longest time that a request waited for its answer. */
  slowestMs: number;
  /** Megabytes, sampled regularly: resident memory, and the used heap including garbage. */
  resident: number[];
  heap: number[];
  faults: string[];
};

type Options = {
  seed: number;
  home: string;
  until: (sent: number) => boolean;
  /** Called with each fault at once: a run of an hour may be stopped before it returns them all. */
  tell?: (fault: string) => void;
};

/** The longest time that a request may block the event loop, on a machine at full speed. */
const mostBusyMs = 100;

/** Reading the longest plan texts takes their thread some seconds; no other request should take that long. */
const mostWaitMs = 60_000;

/** Sends long texts one after the other, so that the request that blocked the service is known by its number. */
export async function fuzzLong(target: Watched, options: Options): Promise<LongFuzzReport> {
  const { seed, home, until, tell = () => undefined } = options;
  await bindClone(target, home);
  const report: LongFuzzReport = {
    sent: 0,
    statuses: {},
    busyMs: 0,
    during: '',
    bareMs: 0,
    slowestMs: 0,
    resident: [],
    heap: [],
    faults: [],
  };
  const addFault = (fault: string) => {
    report.faults.push(fault);
    tell(fault);
  };
  while (!until(report.sent) && report.faults.length < 20) {
    const number = report.sent++;
    const ask = longAskOf(randomOf(seed, number), home);
    const askedAt = performance.now();
    const told = await send(target, ask).catch((error: Error) => error.message);
    const tookMs = performance.now() - askedAt;
    const status = typeof told === 'string' ? told : String(told.status);
    const key = `${ask.door} ${ask.method} ${status}`;
    report.statuses[key] = (report.statuses[key] ?? 0) + 1;
    const what = `seed ${seed} request ${number}: ${ask.method} ${ask.path.slice(0, 100)} of ${ask.body.length} bytes`;
    if (status.startsWith('5') && status !== '503') addFault(`${what} answered ${status}`);
    if (tookMs > mostWaitMs) addFault(`${what} was answered after ${Math.round(tookMs / 1000)} s`);
    report.slowestMs = Math.max(report.slowestMs, Math.round(tookMs));
    const stretch = target.longest();
    const { busyMs, during } = stretch;
    report.bareMs = await target.bareMs();
    if (busyMs > report.busyMs) {
      Object.assign(report, { busyMs, during });
      if (busyMs > Math.max(mostBusyMs, mostPieces * report.bareMs))
        addFault(
          `${what} blocked the event loop for ${partsOf(stretch)} (bare work ${report.bareMs.toFixed(1)} ms) during ${during}`,
        );
    }
    if (number % 10 === 0) await noteMemory(target.consoleUrl, report);
  }
  return report;
}

async function noteMemory(url: string, { resident, heap }: LongFuzzReport): Promise<void> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const megabytes = (name: string) => Math.round(Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 1e6);
  resident.push(megabytes('process_resident_memory_bytes'));
  heap.push(megabytes('nodejs_heap_size_used_bytes'));
}

/** A clone whose manifests and commits prove nodes, so that they are read. */
async function bindClone({ url }: Watched, home: string): Promise<void> {
  const folder = join(home, 'shop');
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
  execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/acme/shop.git'], { cwd: folder });
  const client = await newMcpClient(url);
  await client.callTool({ name: 'register_repository', arguments: { owner: 'acme', name: 'shop', paths: [folder] } });
  await client.close();
  const dependency = { kind: 'dependency', repository: 'acme/shop', name: 'sdk', version: '^2.0.0' };
  const nodes = [
    { id: 'bump', binding: dependency },
    { id: 'work', binding: { kind: 'commit' } },
  ];
  await caller(url)('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes });
}
