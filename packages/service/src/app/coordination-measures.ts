import type { Registry } from 'prom-client';
import type { SessionFacts } from '../coordination/agents/session-state.ts';
import { readyNodes } from '../coordination/work/ready-nodes.ts';
import { viewContextOf, type WorkContext } from '../coordination/work/work-context.ts';
import type { Hub } from '../edge/hub/hub.ts';
import { CollectedMeasures } from '../edge/metrics.ts';
import type { Hosts } from './open-hosts.ts';
import type { Store } from './open-store.ts';

type MeasuredCoordination = {
  work: WorkContext;
  store: Store;
  sessions: () => readonly SessionFacts[];
  hub: Pick<Hub, 'clients' | 'sockets'>;
  hosts: Hosts | null;
};

/** Metrics of coordination. */
export function coordinationMeasures({ work, store, sessions, hub, hosts }: MeasuredCoordination): Registry {
  const measures = new CollectedMeasures();
  const { workState } = work;
  measures.gauge('signalbox_plans', 'Plans, archived ones included.', () => workState.plans.size);
  measures.gauge('signalbox_ready_nodes', 'Nodes that are ready.', () => readyNodes(viewContextOf(work), {}).length);
  measures.gauge('signalbox_claims', 'Open claims.', () => [...workState.claims.open()].length);
  const countEvent = measures.counterByWord(
    'signalbox_log_events_total',
    'Events from all hosts that this process has folded since it started, by type.',
    'type',
  );
  store.log.onCommitted((committed) => committed.forEach(({ type }) => void countEvent(type)));
  measures.gaugeByWord('signalbox_sessions', 'Agent sessions of all hosts, by state.', 'state', () =>
    sessions().map(({ state }) => state),
  );
  measures.gauge('signalbox_hub_clients', 'Open connections to the hub.', hub.clients);
  addSocketMeasures(measures, hub.sockets);
  addStoreMeasures(measures, store);
  if (hosts) {
    measures.gaugeByWord(
      'signalbox_hosts',
      'Hosts that share the store, by whether they have been seen recently.',
      'state',
      () => ['living', ...[...hosts.watch.otherHosts.all()].map(({ away }) => (away ? 'away' : 'living'))],
    );
  }
  return measures.registry;
}

function addSocketMeasures(measures: CollectedMeasures, { open, calls, refusals }: Hub['sockets']): void {
  measures.gauge('signalbox_sockets', 'Open command sockets.', open);
  measures.countsByWord('signalbox_socket_calls_total', 'Calls on sockets, by command.', 'command', calls);
  measures.countsByWord('signalbox_socket_refusals_total', 'Refused calls on sockets, by code.', 'code', refusals);
}

function addStoreMeasures(measures: CollectedMeasures, { log, following }: Store): void {
  measures.counter('signalbox_store_commits_total', 'Commits of the store by this process.', () => log.stats().commits);
  measures.counter(
    'signalbox_store_appends_total',
    'Calls that appended events; many calls share a commit.',
    () => log.stats().appends,
  );
  if (!following) return;
  const staleSeconds = () => {
    const { staleSince } = following();
    return staleSince === null ? 0 : Math.max(0, Date.parse(log.now()) - Date.parse(staleSince)) / 1000;
  };
  measures.gauge('signalbox_store_stale_seconds', 'Maximum age of the state that reads return.', staleSeconds);
  measures.gauge('signalbox_store_behind_events', 'Events in the log that were not folded at the last poll.', () =>
    Math.max(0, following().head - following().sequence),
  );
  measures.counter(
    'signalbox_store_epoch_changes_total',
    'How often the database was replaced by one with a different history.',
    () => following().epochChanges,
  );
}
