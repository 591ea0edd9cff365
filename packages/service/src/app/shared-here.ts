import type { AgentWatch } from '../coordination/agents/watch.ts';
import type { Kind, SharedRun } from '../coordination/hosts/contract.ts';
import type { Neighbours } from '../coordination/hosts/neighbours.ts';
import type { Observed } from '../coordination/hosts/share.ts';
import { runsInProcess } from '../coordination/runs/io/in-process.ts';
import type { Announcement } from '../kernel/announce.ts';
import { isRefusal } from '../kernel/outcome.ts';
import type { Desks } from './coordination.ts';
import type { Surround } from './port.ts';

/** What is observed on this host; the sessions come once their watch is there, the clones once they were looked into. */
export type Here = { sessions: AgentWatch | null; clones: ReadonlySet<string> };

/** A run with more retried tests than this is told of by the first of them. */
const mostRetried = 200;

/** Gathers what this host shares, by kind, and says when something of a kind may have changed. */
export function observingHere({ config, announcements }: Surround, desks: Desks, here: Here, others: () => Neighbours) {
  const runs = createRunItems({ announcements }, desks);
  // A console elsewhere is read by whoever names it; only what came in here is here to be relayed.
  const ownRuns = config.publisherUrl === undefined;
  const model = () => {
    const view = ownRuns ? desks.eventModel.model({ slice: '' }) : null;
    return view === null || isRefusal(view) ? null : view.name;
  };
  const wanted = () => model() !== null || [...others().all()].some((host) => host.model.size > 0);
  return {
    async all(kinds: ReadonlySet<Kind>): Promise<Observed | null> {
      const { sessions } = here;
      if (!sessions || sessions.observedAt() === null) return null;
      const observed: Observed = {};
      if (kinds.has('session')) observed.session = sessions.sessions().map((one) => [one.sessionId, one] as const);
      if (kinds.has('tree')) observed.tree = sessions.trees().map((one) => [one.root, one] as const);
      if (kinds.has('run')) observed.run = ownRuns ? await runs.all() : [];
      if (kinds.has('clone'))
        observed.clone = [...here.clones].map((repository) => [repository, { repository }] as const);
      const name = model();
      if (kinds.has('model')) observed.model = name === null ? [] : [[name, { name }]];
      if (kinds.has('verdict')) {
        observed.verdict = wanted()
          ? [...desks.verdicts.verdicts.all()].map((one) => [one.identity, one] as const)
          : [];
      }
      return observed;
    },
    touching(touch: (kind: Kind) => void) {
      const hear = ({ type, data }: Announcement) => {
        if (type === 'agents_changed') {
          touch('session');
          touch('tree');
        } else if (type === 'run_changed' || type === 'run_ejected') {
          runs.touched(data as { run?: { runId: string } });
          touch('run');
          touch('verdict');
        } else if (type === 'event_model_changed') {
          touch('model');
          touch('verdict');
        }
      };
      for (const feed of new Set([announcements, desks.announcements])) feed.listen(hear);
    },
  };
}

/** Summaries are made anew only for runs that were told of, so that an unchanged one is the same object. */
function createRunItems({ announcements }: Pick<Surround, 'announcements'>, { desk }: Desks) {
  const inProcess = runsInProcess(desk, announcements);
  const items = new Map<string, SharedRun>();
  return {
    touched: ({ run }: { run?: { runId: string } }) => void (run && items.delete(run.runId)),
    async all(): Promise<Array<readonly [string, SharedRun]>> {
      const entries = await desk.list({});
      const listed = new Set(entries.map(({ runId }) => runId));
      for (const runId of items.keys()) if (!listed.has(runId)) items.delete(runId);
      for (const entry of entries) {
        if (items.has(entry.runId)) continue;
        const run = desk.summary(entry);
        items.set(entry.runId, { run, retried: (await inProcess.retried(run)).slice(0, mostRetried) });
      }
      return [...items];
    },
  };
}
