import type { SessionFacts } from '../coordination/agents/session-facts.ts';
import type { WorkContext } from '../coordination/work/work-context.ts';
import { Counter, countByLabel, counter, gauge, type Measure, type Sample } from '../edge/prometheus-text.ts';
import type { EventLog } from '../kernel/event-log.ts';
import type { CommitStats } from '../store/ledger-log.ts';
import type { Following } from '../store/postgres/postgres-log.ts';
import type { Hosts } from './open-hosts.ts';

type StoreLog = EventLog & { stats?: () => CommitStats; following?: () => Following };
type MeasuredCoordination = {
  work: WorkContext;
  log: StoreLog;
  sessions: () => readonly SessionFacts[];
  hubClients: () => number;
  hosts: Hosts | null;
};

/** What coordination knows of itself. */
export function coordinationMeasures({
  work,
  log,
  sessions,
  hubClients,
  hosts,
}: MeasuredCoordination): () => Measure[] {
  const events = new Counter();
  log.onCommitted((committed) => committed.forEach(({ type }) => void events.add({ type })));
  const { workState } = work;
  return () => [
    gauge('signalbox_plans', 'Plans, archived ones included.', { value: workState.plans.size }),
    gauge('signalbox_ready_nodes', 'Nodes that are ready.', { value: workState.progress.readyOrder().length }),
    gauge('signalbox_claims', 'Claims that stand.', { value: [...workState.claims.open()].length }),
    counter('signalbox_log_events_total', 'Events folded since the start, of all hosts, by type.', events.samples()),
    gauge(
      'signalbox_sessions',
      'Agent sessions of all hosts, by state.',
      ...countByLabel(
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
  countByLabel('state', ['living', ...[...watch.otherHosts.all()].map(({ away }) => (away ? 'away' : 'living'))]);
