import type { Announcements } from '../../../kernel/announce.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import type { RunDetail, RunSummary } from '../contract.ts';
import { changesBetween } from '../poll.ts';
import type { EjectFilter, Retried, Runs } from '../ports.ts';
import { ConsoleOverHttp, isDetail } from './console-over-http.ts';
import { has, readFromConsole } from './remote-console.ts';

type Say = (details: object, text: string) => void;
export type Remote = {
  url: string;
  token: string | undefined;
  clock: Clock;
  announcements: Announcements;
  say: { info: Say; warn: Say };
};

const pollMs = 2000;
/** A board shows no more flaky history than this many runs of a console that is far away. */
const runsLookedInto = 30;

const isList = (body: unknown): boolean => Array.isArray(body) && body.every(has('runId', 'state', 'suite'));

/** A console on another machine: the list is polled, everything else fetched when it is asked for. */
export function runsOverHttp(remote: Remote): { runs: Runs; stop(): void } {
  const remoteRuns = new RemoteRuns(remote);
  const first = remoteRuns.poll();
  const stop = remote.clock.every(pollMs, () => remoteRuns.poll());
  remoteRuns.begin(first);
  return { runs: remoteRuns, stop };
}

class RemoteRuns implements Runs {
  readonly #remote: Remote;
  readonly #console: ConsoleOverHttp;
  readonly #listeners = new Set<() => void>();
  readonly #retried = new Map<string, { lastEventAt: string | null; retried: readonly Retried[] }>();
  #first: Promise<void> = Promise.resolve();
  #runs: readonly RunSummary[] = [];
  #seenAt: number;
  #looks = 0;
  #newestLook = 0;
  #trouble: string | null = null;

  constructor(remote: Remote) {
    this.#remote = remote;
    this.#console = new ConsoleOverHttp(remote);
    this.#seenAt = remote.clock.monotonic();
  }

  begin(first: Promise<void>): void {
    this.#first = first;
  }

  /** What cannot be read leaves everything as it was last seen, and so does a look that one begun later has overtaken. */
  async poll(): Promise<void> {
    this.#looks += 1;
    const look = this.#looks;
    const runs = await readFromConsole<RunSummary[]>(this.#remote, 'GET', '/api/runs', isList);
    this.#note(isRefusal(runs) ? runs.detail : null);
    if (isRefusal(runs) || look < this.#newestLook) return;
    this.#newestLook = look;
    const { clock, announcements } = this.#remote;
    const { changed, gone } = changesBetween(this.#runs, runs);
    this.#runs = runs;
    this.#seenAt = clock.monotonic();
    for (const run of changed) announcements.announce({ type: 'run_changed', subject: run.runId, data: { run } });
    for (const runId of gone) this.#retried.delete(runId);
    if (gone.length > 0) announcements.announce({ type: 'run_ejected', data: { runIds: gone } });
    if (changed.length > 0 || gone.length > 0) for (const listener of this.#listeners) listener();
  }

  async known() {
    await this.#first;
    return { runs: this.#runs, ageMs: this.#remote.clock.monotonic() - this.#seenAt };
  }

  async one(runId: string) {
    await this.#first;
    return this.#runs.find((run) => run.runId === runId.toLowerCase());
  }

  detail = (runId: string) => this.#console.detail(runId);

  troubled = (runId: string) => this.#console.troubled(runId);

  export = (runId: string, format: string) => this.#console.export(runId, format);

  async retried({ runId, lastEventAt }: RunSummary): Promise<readonly Retried[]> {
    const known = this.#retried.get(runId);
    if (known?.lastEventAt === lastEventAt) return known.retried;
    if (this.#runs.findIndex((run) => run.runId === runId) >= runsLookedInto) return [];
    const path = `/api/runs/${encodeURIComponent(runId)}`;
    const detail = await readFromConsole<RunDetail>(this.#remote, 'GET', path, isDetail);
    if (isRefusal(detail)) return known?.retried ?? [];
    const retried = detail.scenarios
      .filter(
        ({ attempt, retryReasons, outcome }) => attempt > 1 || retryReasons.length > 0 || outcome === 'PassOnRetry',
      )
      .map(({ uid, retryReasons }) => ({ uid, reasons: retryReasons }));
    this.#retried.set(runId, { lastEventAt, retried });
    return retried;
  }

  async eject(runId: string): Promise<Record<string, never> | Refusal> {
    const answer = await this.#console.eject(runId);
    if (!isRefusal(answer)) await this.poll();
    return answer;
  }

  async ejectMany({ olderThan, exceptRunId = [] }: EjectFilter) {
    const query = new URLSearchParams();
    if (olderThan !== undefined) query.set('olderThan', olderThan);
    for (const runId of exceptRunId) query.append('exceptRunId', runId);
    const path = `/api/runs${query.size > 0 ? `?${query}` : ''}`;
    type Taken = { count: number; runIds: string[] };
    const taken = await readFromConsole<Taken>(this.#remote, 'DELETE', path, has('count', 'runIds'));
    if (!isRefusal(taken)) await this.poll();
    return taken;
  }

  listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Said once, when it begins and when it is over: a list that stands still looks like one where nothing happens. */
  #note(trouble: string | null): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const { url, say } = this.#remote;
    if (trouble === null) say.info({ url }, 'the console that Service:PublisherUrl names is read again');
    else say.warn({ url, why: trouble }, 'the console that Service:PublisherUrl names cannot be read');
  }
}
