import type { EventLog, RecordedEvent } from '../../kernel/event-log.ts';
import { nodeKey, nodeRef } from '../../kernel/streams.ts';
import type { ObservedNode } from '../evidence/decide.ts';
import type { Evidence } from '../evidence/node-evidence.ts';
import type { EvidenceTarget } from '../evidence/ports.ts';
import { effectiveBinding } from '../plans/binding.ts';
import type { Ref } from '../plans/refs.ts';
import { isStored } from '../stored-event.ts';
import type { WorkState } from './work-state.ts';

/** The queries to other hosts of the store; null if there are none. */
export type EvidenceHosts = {
  /** Whether this host, among the live ones, is responsible for a subject that any of them could observe. */
  isResponsible(what: string): boolean;
  knowsRun(runId: string): boolean;
};

/** Kinds that any host could read over the network; one responsible host reads them. */
const networkKinds: ReadonlySet<string> = new Set(['issue', 'pullRequest', 'package']);

/** States in which the target was never found, so another 404 changes nothing. */
const neverObserved: ReadonlySet<string> = new Set(['missing', 'notObserved', 'notPublished']);

/** Every bound node of the active plans that this host checks; a sign-off is asserted, never observed. */
export function* evidenceTargets(workState: WorkState, hosts: EvidenceHosts | null): Iterable<EvidenceTarget> {
  for (const plan of workState.plans.all()) {
    if (plan.archivedAt !== null) continue;
    for (const node of plan.nodes.values()) {
      if (node.binding === null || node.binding.kind === 'signOff') continue;
      const ref = nodeRef(plan.slug, node.id);
      if (hosts && networkKinds.has(node.binding.kind) && !hosts.isResponsible(ref)) continue;
      const evidence = workState.evidence.of(nodeKey(plan.slug, node.id));
      yield {
        ref: { plan: plan.slug, node: node.id },
        binding: effectiveBinding(node.binding, ref),
        repository: node.repository ?? plan.repository,
        observedBefore: evidence !== undefined && !neverObserved.has(evidence.state),
        settledBy: evidence?.settledBy ?? null,
        ...(evidence?.withdrawn && { withdrawn: evidence.withdrawn }),
      };
    }
  }
}

/** A node when its evidence is written. It counts as unbound if another host has a newer verdict of its suite. */
export function observedNode(workState: WorkState, ref: Ref, hosts: EvidenceHosts | null, now: string): ObservedNode {
  const vertex = workState.find(ref.plan, ref.node);
  const node = vertex === undefined ? undefined : workState.plans.graph.nodes[vertex];
  const evidence = vertex === undefined ? undefined : workState.evidence.of(workState.keyOf(vertex));
  const bound = node?.binding ? effectiveBinding(node.binding, nodeRef(ref.plan, ref.node)) : null;
  const isBehind = hosts !== null && evidence?.provenance === 'observed' && isNewerElsewhere(hosts, evidence, now);
  return { ref, binding: isBehind ? null : bound, evidence };
}

/** The maximum time until a host knows another host's run. */
const hearsWithinMs = 10_000;

/** Another host has just observed a run that is not known here yet, so its evidence is newer than ours. */
function isNewerElsewhere(hosts: EvidenceHosts, { runId, observedAt }: Evidence, now: string): boolean {
  if (runId === null || observedAt === null || hosts.knowsRun(runId)) return false;
  return Date.parse(now) - Date.parse(observedAt) < hearsWithinMs;
}

/**
 * A suite may have run before it is bound to a node. The returned function observes the runs on the board if a suite was
 * bound since its last call; undefined if none was.
 */
export function pollBoundSuites(
  log: Pick<EventLog, 'onCommitted'>,
  settle: () => Promise<unknown>,
): () => Promise<unknown> | undefined {
  let isPending = false;
  log.onCommitted((events) => {
    isPending ||= events.some(bindsSuites);
  });
  return () => {
    if (!isPending) return undefined;
    isPending = false;
    return settle();
  };
}

function bindsSuites(event: RecordedEvent): boolean {
  if (!isStored(event, 'plan')) return false;
  if (event.type === 'node_bound') return event.data.binding?.kind === 'suite';
  if (event.type === 'node_added') return event.data.node.binding?.kind === 'suite';
  return event.type === 'plan_created' || event.type === 'plan_restored';
}
