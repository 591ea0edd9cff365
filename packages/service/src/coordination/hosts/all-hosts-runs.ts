import { isRefusal } from '../../kernel/outcome.ts';
import type { RunList, RunSource } from '../runs/ports.ts';
import type { SharedRun } from './contract.ts';
import { type OtherHost, type OtherHosts, runOf } from './other-hosts.ts';

/** The data that is fetched from the host that has the archive. */
export type RemoteRuns = Pick<RunSource, 'detail' | 'failing' | 'export' | 'attachment' | 'eject'>;

export type RunsOfAllHostsOptions = {
  own: RunSource;
  otherHosts: OtherHosts;
  remoteRuns: (host: OtherHost) => RemoteRuns;
  /** Relays the events of a live run of another host. Resolves once relaying, or soon if it cannot. */
  follow: (runId: string) => Promise<void>;
  /** Called after another host ejected a run at our request. */
  onEjected: (runId: string) => void;
  onChange: (listener: () => void) => () => void;
};

/** The runs of all hosts: lists are answered from memory, everything else by the host that ingested the run. */
export function runsOfAllHosts({
  own,
  otherHosts,
  remoteRuns: far,
  follow,
  onEjected: ejected,
  onChange: onMoved,
}: RunsOfAllHostsOptions): RunSource {
  const find = (runId: string): { host: OtherHost; shared: SharedRun } | undefined => {
    for (const host of otherHosts.all()) {
      const shared = host.run.get(runId.toLowerCase());
      if (shared) return { host, shared };
    }
    return undefined;
  };
  /**
   * The runs of this host if it has the run, otherwise those of the host that has it. If no host has it, this host's
   * runs return the refusal.
   */
  const runsOn = async (runId: string): Promise<RemoteRuns> => {
    const found = (await own.get(runId)) ? undefined : find(runId);
    return found ? far(found.host) : own;
  };
  /** Followed before it is read, so that the reader misses nothing. */
  const readOn = async (runId: string): Promise<RemoteRuns> => {
    const runs = await runsOn(runId);
    if (runs !== own) await follow(runId.toLowerCase());
    return runs;
  };
  return {
    list: async () => withOtherHosts(await own.list(), otherHosts),
    get: async (runId) => (await own.get(runId)) ?? shownOf(find(runId)),
    detail: async (runId) => (await readOn(runId)).detail(runId),
    failing: async (runId) => (await runsOn(runId)).failing(runId),
    export: async (runId, format) => (await readOn(runId)).export(runId, format),
    attachment: async (runId, sha256) => (await runsOn(runId)).attachment(runId, sha256),
    tests: (filter, order) => own.tests(filter, order),
    testChanges: (since) => own.testChanges(since),
    // The console's history covers all hosts.
    testHistory: (query) => own.testHistory(query),
    isOutsideHistory: (run) =>
      run.state === 'running' || (own.isOutsideHistory(run) && find(run.runId)?.host.tests.size === 0),
    async retried(run) {
      return (await own.get(run.runId)) ? own.retried(run) : (find(run.runId)?.shared.retried ?? []);
    },
    async eject(runId, by) {
      const runs = await runsOn(runId);
      const answer = await runs.eject(runId, by);
      if (runs !== own && !isRefusal(answer)) ejected(runId.toLowerCase());
      return answer;
    },
    ejectMany: (filter, by) => own.ejectMany(filter, by),
    listen(listener) {
      const stops = [own.listen(listener), onMoved(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

const shownOf = (found: { host: OtherHost; shared: SharedRun } | undefined) => found && runOf(found.host, found.shared);

function withOtherHosts({ runs, ...about }: RunList, otherHosts: OtherHosts): RunList {
  const others = [...otherHosts.all()].flatMap((host) => [...host.run.values()].map((shared) => runOf(host, shared)));
  if (others.length === 0) return { runs, ...about };
  const byId = new Map([...others, ...runs].map((run) => [run.runId, run]));
  return { runs: [...byId.values()].sort(newestFirst), ...about };
}

const newestFirst = (a: { startedAt: string | null; runId: string }, b: typeof a): number =>
  a.startedAt === b.startedAt ? (a.runId < b.runId ? -1 : 1) : (a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1;
