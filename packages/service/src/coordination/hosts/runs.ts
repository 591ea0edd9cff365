import { isRefusal } from '../../kernel/outcome.ts';
import type { Known, Runs } from '../runs/ports.ts';
import type { SharedRun } from './contract.ts';
import type { Neighbour, Neighbours } from './neighbours.ts';

/** What is fetched from the host that has the archive. */
export type FarRuns = Pick<Runs, 'detail' | 'troubled' | 'export' | 'eject'>;

export type RunsOfAllOptions = {
  own: Runs;
  neighbours: Neighbours;
  far: (host: Neighbour) => FarRuns;
  /** Told of a run that another host ejected because it was asked here. */
  ejected: (runId: string) => void;
  onMoved: (listener: () => void) => () => void;
};

/** The runs of all hosts: lists from memory, everything else from the host that took the run in. */
export function runsOfAll({ own, neighbours, far, ejected, onMoved }: RunsOfAllOptions): Runs {
  const find = (runId: string): { host: Neighbour; shared: SharedRun } | undefined => {
    for (const host of neighbours.all()) {
      const shared = host.run.get(runId.toLowerCase());
      if (shared) return { host, shared };
    }
    return undefined;
  };
  /** Ours where we have it, else the host's that does; none has it: ours says so. */
  const at = async (runId: string): Promise<FarRuns> => {
    const found = (await own.one(runId)) ? undefined : find(runId);
    return found ? far(found.host) : own;
  };
  return {
    known: async () => merged(await own.known(), neighbours),
    one: async (runId) => (await own.one(runId)) ?? find(runId)?.shared.run,
    detail: async (runId) => (await at(runId)).detail(runId),
    troubled: async (runId) => (await at(runId)).troubled(runId),
    export: async (runId, format) => (await at(runId)).export(runId, format),
    async retried(run) {
      return (await own.one(run.runId)) ? own.retried(run) : (find(run.runId)?.shared.retried ?? []);
    },
    async eject(runId) {
      const there = await at(runId);
      const answer = await there.eject(runId);
      if (there !== own && !isRefusal(answer)) ejected(runId.toLowerCase());
      return answer;
    },
    async ejectMany({ olderThan, exceptRunId = [] }) {
      // One that only others have stays anyway; one that is here, too, is here to be kept.
      const here = await Promise.all(exceptRunId.map((runId) => own.one(runId)));
      return own.ejectMany({ olderThan, exceptRunId: exceptRunId.filter((runId, at) => here[at] || !find(runId)) });
    },
    listen(listener) {
      const stops = [own.listen(listener), onMoved(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function merged({ runs, ageMs }: Known, neighbours: Neighbours): Known {
  const others = [...neighbours.all()].flatMap(({ run }) => [...run.values()].map((shared) => shared.run));
  if (others.length === 0) return { runs, ageMs };
  const byId = new Map([...others, ...runs].map((run) => [run.runId, run]));
  return { runs: [...byId.values()].sort(newestFirst), ageMs };
}

const newestFirst = (a: { startedAt: string | null; runId: string }, b: typeof a): number =>
  a.startedAt === b.startedAt ? (a.runId < b.runId ? -1 : 1) : (a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1;
