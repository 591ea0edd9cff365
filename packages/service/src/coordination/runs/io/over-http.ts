import type { Announcements } from '../../../kernel/announce.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import type { RunDetail, RunSummary } from '../contract.ts';
import { changesBetween } from '../poll.ts';
import type { EjectFilter, Retried, Runs } from '../ports.ts';
import { ConsoleOverHttp } from './console-over-http.ts';
import { askConsole, fetchFromConsole } from './remote-console.ts';

export type Remote = { url: string; token: string | undefined; clock: Clock; announcements: Announcements };

const pollMs = 2000;
/** A board shows no more flaky history than this many runs of a console that is far away. */
const runsLookedInto = 30;

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
    const answer = await this.#ask('GET', '/api/runs').catch(() => null);
    const runs = answer?.ok ? ((await answer.json().catch(() => null)) as RunSummary[] | null) : null;
    if (!Array.isArray(runs) || look < this.#newestLook) return;
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
    const answer = await this.#fetch('GET', `/api/runs/${encodeURIComponent(runId)}`);
    if (isRefusal(answer)) return known?.retried ?? [];
    const { scenarios } = (await answer.json()) as RunDetail;
    const retried = scenarios
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
    const answer = await this.#fetch('DELETE', `/api/runs${query.size > 0 ? `?${query}` : ''}`);
    if (isRefusal(answer)) return answer;
    const taken = (await answer.json()) as { count: number; runIds: string[] };
    await this.poll();
    return taken;
  }

  listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #fetch = (method: string, path: string): Promise<Response | Refusal> => fetchFromConsole(this.#remote, method, path);

  #ask = (method: string, path: string): Promise<Response> => askConsole(this.#remote, method, path);
}
