import { PerformanceObserver } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { stolenMs } from './stolen-time.ts';

/** From and to, as `performance.now()` tells them. */
type Span = { from: number; to: number };

/**
 * `seconds` by the clock; `busySeconds` of them this thread computed, `gcSeconds` it collected garbage. The rest it waited
 * for the machine, or the machine for its host.
 */
export type Stall = Span & { seconds: number; busySeconds: number; gcSeconds: number; during: readonly string[] };

type Stalls = { longest: Stall; busiest: Stall };

const everyMs = 20;
const mostNames = 5;
/** Asking what the host took costs 50 us, so that is done now and then and not at every tick. */
const askStolenEveryMs = 200;
const none: Stall = { from: 0, to: 0, seconds: 0, busySeconds: 0, gcSeconds: 0, during: [] };

const sharedSeconds = (a: Span, b: Span): number => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from)) / 1000;

/** Measures the longest time in which nobody was answered, and names the requests that were under way. */
export class EventLoopWatch {
  readonly #askStolen: () => readonly number[];
  readonly #underWay = new Set<{ name: string }>();
  #endedSinceTick: string[] = [];
  #longest = none;
  #busiest = none;
  #users = 0;
  #timer: NodeJS.Timeout | undefined;
  #tickAt = 0;
  #tickCpu = 0;
  #stolenAt = 0;
  #stolen: readonly number[] = [];
  /** Those that ended since the tick before the last. */
  #collections: Span[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) this.#noteCollection(startTime, duration);
  });

  constructor(askStolen: () => readonly number[] = stolenMs) {
    this.#askStolen = askStolen;
  }

  /** Watches until every caller has called what it got. */
  start(): () => void {
    this.#users += 1;
    if (this.#users === 1) {
      this.reset();
      this.#timer = setInterval(() => this.#tick(), everyMs).unref();
      this.#observer.observe({ entryTypes: ['gc'] });
    }
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      clearInterval(this.#timer);
      this.#observer.disconnect();
    };
  }

  begin(name: string): () => void {
    const request = { name };
    this.#underWay.add(request);
    return () => {
      if (this.#underWay.delete(request) && this.#endedSinceTick.length < mostNames) this.#endedSinceTick.push(name);
    };
  }

  reset(): void {
    this.#longest = none;
    this.#busiest = none;
    this.#tickAt = performance.now();
    this.#tickCpu = cpuMs();
    this.#stolenSince(this.#tickAt);
  }

  /** The longest by the clock, and the one in which this thread computed most. */
  read(): Stalls {
    this.#tick();
    return { longest: this.#longest, busiest: this.#busiest };
  }

  #tick(): void {
    const now = performance.now();
    const cpu = cpuMs();
    const elapsed = now - this.#tickAt;
    const seconds = Math.max(0, elapsed - everyMs) / 1000;
    const computed = Math.min(elapsed, cpu - this.#tickCpu) / 1000;
    if (seconds > this.#longest.seconds || (seconds > 0 && computed > this.#busiest.busySeconds)) {
      const busySeconds = Math.max(0, computed - this.#stolenSince(now) / 1000);
      const running = [...this.#underWay].map(({ name }) => name);
      const during = [...new Set([...this.#endedSinceTick, ...running.slice(-mostNames)])].slice(0, mostNames);
      const span = { from: this.#tickAt, to: now };
      const gcSeconds = this.#collections.reduce((sum, each) => sum + sharedSeconds(each, span), 0);
      const stall = { ...span, seconds, busySeconds, gcSeconds, during };
      if (seconds > this.#longest.seconds) this.#longest = stall;
      if (busySeconds > this.#busiest.busySeconds) this.#busiest = stall;
    }
    if (now - this.#stolenAt > askStolenEveryMs) this.#stolenSince(now);
    this.#endedSinceTick = [];
    this.#collections = this.#collections.filter(({ to }) => to > this.#tickAt);
    this.#tickAt = now;
    this.#tickCpu = cpu;
  }

  /** The most that was taken of one processor since this was last asked: it is counted as computed, and was not. */
  #stolenSince(now: number): number {
    const before = this.#stolen;
    this.#stolen = this.#askStolen();
    this.#stolenAt = now;
    return Math.max(0, ...this.#stolen.map((ms, at) => ms - (before[at] ?? ms)));
  }

  /** Told in a later turn, before or after the tick of the time it was in. */
  #noteCollection(from: number, ms: number): void {
    const span = { from, to: from + ms };
    this.#collections.push(span);
    const adding = (stall: Stall): Stall => ({ ...stall, gcSeconds: stall.gcSeconds + sharedSeconds(stall, span) });
    this.#longest = adding(this.#longest);
    this.#busiest = adding(this.#busiest);
  }
}

/** What this thread computed; on older Nodes what the whole process did. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

/** One for the process: both ports share its event loop. */
export const eventLoopWatch = new EventLoopWatch();

/** Watches while the port is open and knows its requests by their routes. */
export function watchEventLoop(app: FastifyInstance): void {
  let stop = () => {};
  app.addHook('onReady', async () => {
    stop = eventLoopWatch.start();
  });
  app.addHook('onClose', async () => stop());
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', eventLoopWatch.begin(`${request.method} ${request.routeOptions.url ?? 'nowhere'}`));
  });
}

export function registerEventLoopMeasures(registry: Registry): void {
  const register = (name: string, help: string, read: (stalls: Stalls) => [value: number, stall: Stall]) =>
    new Gauge({
      name,
      help,
      labelNames: ['during'],
      registers: [registry],
      collect() {
        const [value, { during }] = read(eventLoopWatch.read());
        this.reset();
        this.set({ during: during.join(', ') }, value);
      },
    });
  register(
    'signalbox_eventloop_longest_seconds',
    'The longest time since the start in which nobody was answered.',
    ({ longest }) => [longest.seconds, longest],
  );
  register(
    'signalbox_eventloop_longest_busy_seconds',
    'The longest time since the start spent computing at a stretch.',
    ({ busiest }) => [busiest.busySeconds, busiest],
  );
  register(
    'signalbox_eventloop_longest_busy_gc_seconds',
    'How much of that longest computing was garbage collection.',
    ({ busiest }) => [busiest.gcSeconds, busiest],
  );
}
