import type { RunDesk } from '../console/runs/desk.ts';
import { stateOf } from '../console/runs/desk.ts';
import type { SessionFacts } from '../coordination/agents/facts.ts';
import type { WorkContext } from '../coordination/work/context.ts';
import { Counter, counter, gauge, type Measure, type Sample } from '../edge/exposition.ts';
import type { EventLog } from '../kernel/event-log.ts';
import { isRefusal, type Refusal } from '../kernel/outcome.ts';
import type { CommitStats } from '../store/ledger-log.ts';
import type { Following } from '../store/postgres/event-log.ts';
import type { Hosts } from './hosts.ts';

/** How many of each word; every word of a fixed set that occurs. */
function byWord(label: string, words: Iterable<string>): Sample[] {
  const counts = new Counter();
  for (const word of words) counts.add({ [label]: word });
  return counts.samples();
}

type Taken = { accepted: number; ignored: number; rejected: readonly object[] };

/** What the console knows of itself; `counted` is put in front of ingest. */
export function consoleMeasures(desk: RunDesk) {
  const events = new Counter();
  const counted =
    <Answer extends object>(ingest: (body: Uint8Array) => Promise<Answer | Refusal>) =>
    async (body: Uint8Array): Promise<Answer | Refusal> => {
      const answer = await ingest(body);
      if (isRefusal(answer)) return answer;
      const { accepted, ignored, rejected } = answer as unknown as Taken;
      events.add({ result: 'accepted' }, accepted);
      events.add({ result: 'ignored' }, ignored);
      events.add({ result: 'rejected' }, rejected.length);
      return answer;
    };
  const measures = (): Measure[] => [
    counter('signalbox_ingest_events_total', 'Monitor events taken in, by what became of them.', events.samples()),
    gauge('signalbox_runs', 'Runs on the board, by state.', ...byWord('state', desk.runs.registry.all().map(stateOf))),
  ];
  return { counted, measures };
}

type StoreLog = EventLog & { stats?: () => CommitStats; following?: () => Following };
type Coordination = {
  work: WorkContext;
  log: StoreLog;
  sessions: () => readonly SessionFacts[];
  hubClients: () => number;
  hosts: Hosts | null;
};

/** What coordination knows of itself. */
export function coordinationMeasures({ work, log, sessions, hubClients, hosts }: Coordination): () => Measure[] {
  const events = new Counter();
  log.onCommitted((committed) => committed.forEach(({ type }) => void events.add({ type })));
  const { picture } = work;
  return () => [
    gauge('signalbox_plans', 'Plans, archived ones included.', { value: picture.plans.size }),
    gauge('signalbox_ready_nodes', 'Nodes that are ready.', { value: picture.standing.readyOrder().length }),
    gauge('signalbox_claims', 'Claims that stand.', { value: [...picture.claims.open()].length }),
    counter('signalbox_log_events_total', 'Events folded since the start, of all hosts, by type.', events.samples()),
    gauge(
      'signalbox_sessions',
      'Agent sessions of all hosts, by state.',
      ...byWord(
        'state',
        sessions().map(({ state }) => state),
      ),
    ),
    gauge('signalbox_hub_clients', 'Connections that listen to the hub.', { value: hubClients() }),
    ...storeMeasures(log),
    ...(hosts
      ? [gauge('signalbox_hosts', 'Hosts that share the store, by whether they are heard of.', ...hostsByState(hosts))]
      : []),
  ];
}

function storeMeasures({ stats, following, now }: StoreLog): Measure[] {
  const { commits, appends } = stats?.() ?? { commits: 0, appends: 0 };
  const counts = [
    counter('signalbox_store_commits_total', 'Commits of the store by this process.', [{ value: commits }]),
    counter('signalbox_store_appends_total', 'Calls that appended something; many share a commit.', [
      { value: appends },
    ]),
  ];
  const at = following?.();
  if (!at) return counts;
  const stale = at.staleSince === null ? 0 : Math.max(0, Date.parse(now()) - Date.parse(at.staleSince)) / 1000;
  return [
    ...counts,
    gauge('signalbox_store_up', 'Whether the database is there.', { value: at.staleSince === null ? 1 : 0 }),
    gauge('signalbox_store_stale_seconds', 'How old what is read may be.', { value: stale }),
    gauge('signalbox_store_behind_events', 'Events in the log that were not folded when it was last asked.', {
      value: Math.max(0, at.head - at.sequence),
    }),
  ];
}

const hostsByState = ({ watch }: Hosts): Sample[] =>
  byWord('state', ['living', ...[...watch.neighbours.all()].map(({ away }) => (away ? 'away' : 'living'))]);
