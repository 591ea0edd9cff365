import { endsSpan, spansOfNode } from '../coordination/work/node-spans.ts';
import type { WorkState } from '../coordination/work/work-state.ts';
import type { EventLog, RecordedEvent } from '../kernel/event-log.ts';
import { type NodeKey, nodeKeyOf, streams } from '../kernel/streams.ts';
import type { Span } from '../telemetry/otlp.ts';
import type { Traces } from '../telemetry/ports.ts';
import type { Hosts } from './open-hosts.ts';
import { traceOfRunIn } from './trace-runs.ts';

type TraceNodesDeps = {
  log: EventLog;
  workState: WorkState;
  /** Only one of the hosts that share a log sends the traces of a node. */
  hosts: Pick<Hosts, 'isResponsible'> | null;
  runs: Parameters<typeof traceOfRunIn>[1];
};

/** Sends each node from its claim to its proof as a trace. */
export function traceNodes(traces: Traces, deps: TraceNodesDeps): void {
  const isOurs = (key: NodeKey) => deps.hosts?.isResponsible(key) ?? true;
  deps.log.onCommitted((committed) => {
    const ended = committed.filter((event) => endsSpan(event) && isOurs(nodeKeyOf(event)));
    if (ended.length > 0) traces.send(() => spansOf(ended, traces, deps));
  });
}

async function* spansOf(
  ended: readonly RecordedEvent[],
  traces: Traces,
  { log, workState, runs }: TraceNodesDeps,
): AsyncGenerator<Span> {
  const deps = { ids: traces.ids, traceOfRun: traceOfRunIn(traces, runs) };
  const sequences = new Set(ended.map(({ sequence }) => sequence));
  for (const key of new Set(ended.map(nodeKeyOf))) {
    const vertex = workState.plans.graph.find(key);
    if (vertex === undefined) continue;
    const [claims, evidence] = [await log.read(streams.claim(key)), await log.read(streams.evidence(key))];
    const events = [...claims, ...evidence].sort((a, b) => a.sequence - b.sequence);
    const node = { key, ref: workState.plans.refOf(vertex), title: workState.plans.graph.nodes[vertex]?.title ?? null };
    yield* spansOfNode({ ...node, events }, sequences, deps);
  }
}
