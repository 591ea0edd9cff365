import { withoutLogin } from '../../../kernel/address.ts';
import type { Announcements } from '../../../kernel/announcements.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import type { TestChanges, TestHistoryQuery, TestOrder, TestSummary } from '../../../run-contract/test-history.ts';
import type { RunSummary } from '../contract.ts';
import { runSummaryFrom } from '../other-console.ts';
import type { EjectFilter, RetriedTest, RunSource, SuiteFilter } from '../ports.ts';
import { ConsoleOverHttp, isDetail } from './console-over-http.ts';
import { type ConsoleAddress, hasMembers, readFromConsole } from './remote-console.ts';

type LogLine = (details: object, text: string) => void;
export type RemoteConsole = {
  url: string;
  token: string | undefined;
  clock: Clock;
  announcements: Announcements;
  log: { info: LogLine; warn: LogLine };
};

const pollMs = 2000;
/** The flaky history of a remote console covers at most this many runs. */
const runsReadForRetries = 30;

const isTest = hasMembers<TestSummary>('uid', 'suite', 'runs');
const isTests = (body: unknown): body is readonly TestSummary[] => Array.isArray(body) && body.every(isTest);
/** How many tests are read in one order; more than anyone reads. */
const testsRead = 5000;
const isList = (body: unknown): body is readonly RunSummary[] =>
  Array.isArray(body) && body.every((run) => runSummaryFrom(run) !== null);

/** The runs of any console that implements this interface. */
export async function readRunList(address: ConsoleAddress): Promise<readonly RunSummary[] | Refusal> {
  const listed = await readFromConsole(address, 'list_runs', {}, isList);
  return isRefusal(listed) ? listed : listed.flatMap((run) => runSummaryFrom(run) ?? []);
}

/** A console on another machine: the list is polled, everything else is fetched on request. */
export function runsOverHttp(remote: RemoteConsole): { runs: RunSource; stop(): void } {
  const remoteRuns = new RemoteRuns(remote);
  const first = remoteRuns.poll();
  const stop = remote.clock.every(pollMs, () => remoteRuns.poll());
  remoteRuns.startWith(first);
  return { runs: remoteRuns, stop };
}

class RemoteRuns implements RunSource {
  readonly #remote: RemoteConsole;
  readonly #console: ConsoleOverHttp;
  readonly #listeners = new Set<() => void>();
  readonly #retried = new Map<string, { lastEventAt: string | null; retried: readonly RetriedTest[] }>();
  #firstPoll: Promise<void> = Promise.resolve();
  #runs: readonly RunSummary[] = [];
  #readAt: number;
  #polls = 0;
  #newestPoll = 0;
  #trouble: string | null = null;

  constructor(remote: RemoteConsole) {
    this.#remote = remote;
    this.#console = new ConsoleOverHttp(remote);
    this.#readAt = remote.clock.monotonic();
  }

  startWith(first: Promise<void>): void {
    this.#firstPoll = first;
  }

  /** A failed poll, or one overtaken by a later poll, changes nothing. */
  async poll(): Promise<void> {
    this.#polls += 1;
    const poll = this.#polls;
    const runs = await readRunList(this.#remote);
    this.#logTrouble(isRefusal(runs) ? runs.detail : null);
    if (isRefusal(runs) || poll < this.#newestPoll) return;
    this.#newestPoll = poll;
    const { clock, announcements } = this.#remote;
    const { changed, gone } = changesBetween(this.#runs, runs);
    this.#runs = runs;
    this.#readAt = clock.monotonic();
    for (const run of changed) announcements.announce({ type: 'run_changed', data: { run } });
    for (const runId of gone) this.#retried.delete(runId);
    if (gone.length > 0) announcements.announce({ type: 'run_ejected', data: { runIds: gone } });
    if (changed.length > 0 || gone.length > 0) for (const listener of this.#listeners) listener();
  }

  async list() {
    await this.#firstPoll;
    const ageMs = this.#remote.clock.monotonic() - this.#readAt;
    return { runs: this.#runs, ageMs, trouble: this.#trouble };
  }

  async get(runId: string) {
    await this.#firstPoll;
    return this.#runs.find((run) => run.runId === runId.toLowerCase());
  }

  detail = (runId: string) => this.#console.detail(runId);

  failing = (runId: string) => this.#console.failing(runId);

  export = (runId: string, format: string) => this.#console.export(runId, format);

  attachment = (runId: string, sha256: string) => this.#console.attachment(runId, sha256);

  tests = (filter: SuiteFilter, order: TestOrder) =>
    readFromConsole(this.#remote, 'list_tests', { ...filter, order, limit: testsRead }, isTests);

  testHistory = (query: TestHistoryQuery) => this.#console.testHistory(query);

  /** A console elsewhere has no such call. */
  testChanges = async (): Promise<TestChanges> => ({ flaky: [], mended: [] });

  isOutsideHistory = ({ state }: RunSummary): boolean => state === 'running';

  async retried({ runId, lastEventAt }: RunSummary): Promise<readonly RetriedTest[]> {
    const cached = this.#retried.get(runId);
    if (cached?.lastEventAt === lastEventAt) return cached.retried;
    if (this.#runs.findIndex((run) => run.runId === runId) >= runsReadForRetries) return [];
    const detail = await readFromConsole(this.#remote, 'get_run', { runId }, isDetail);
    if (isRefusal(detail)) return cached?.retried ?? [];
    const retried = detail.scenarios
      .filter(
        ({ attempt, retryReasons, outcome }) => attempt > 1 || retryReasons.length > 0 || outcome === 'PassOnRetry',
      )
      .map(({ uid, retryReasons }) => ({ uid, reasons: retryReasons }));
    this.#retried.set(runId, { lastEventAt, retried });
    return retried;
  }

  async eject(runId: string, by: string): Promise<Record<string, never> | Refusal> {
    const answer = await this.#console.eject(runId, by);
    if (!isRefusal(answer)) await this.poll();
    return answer;
  }

  async ejectMany({ olderThan, exceptRunId = [] }: EjectFilter, by: string) {
    const input = { olderThan, exceptRunId: [...exceptRunId], by };
    const ejected = await readFromConsole(this.#remote, 'eject_runs', input, hasMembers('count', 'runIds'));
    if (!isRefusal(ejected)) await this.poll();
    return ejected;
  }

  listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Logged once when trouble begins and once when it ends, because a stale list looks like a quiet one. */
  #logTrouble(trouble: string | null): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const { log } = this.#remote;
    const url = withoutLogin(this.#remote.url);
    if (trouble === null) log.info({ url }, 'the run console at Service:PublisherUrl is reachable again');
    else log.warn({ url, why: trouble }, 'cannot read the run console at Service:PublisherUrl');
  }
}

/** The differences between two polls of a console. */
export function changesBetween(
  before: readonly RunSummary[],
  now: readonly RunSummary[],
): { changed: RunSummary[]; gone: string[] } {
  const earlier = new Map(before.map((run) => [run.runId, JSON.stringify(run)]));
  const changed = now.filter((run) => earlier.get(run.runId) !== JSON.stringify(run));
  const present = new Set(now.map((run) => run.runId));
  return { changed, gone: before.filter((run) => !present.has(run.runId)).map((run) => run.runId) };
}
