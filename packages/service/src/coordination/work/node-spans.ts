import type { RecordedEvent } from '../../kernel/event-log.ts';
import type { NodeKey, NodeRef } from '../../kernel/streams.ts';
import {
  boundedText,
  eventOf,
  exceptionOf,
  failed,
  ok,
  type Span,
  type SpanLink,
  spanOf,
  type TraceIds,
  unset,
} from '../../telemetry/otlp.ts';
import { readTraceParent } from '../../telemetry/trace-parent.ts';
import { EvidenceProjection } from '../evidence/evidence-projection.ts';
import { decidedBy, proofOf } from '../evidence/node-evidence.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';

type TracedNode = {
  key: NodeKey;
  ref: NodeRef;
  title: string | null;
  /** Everything about its claims and evidence, in order. */
  events: readonly RecordedEvent[];
};

type SpanNodeDeps = {
  ids: TraceIds;
  /** The trace and span of a run. */
  traceOfRun: (runId: string) => { traceId: string; spanId: string };
};

/** Work on a node from its first claim to its proof. */
type Stretch = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** False if the caller whose trace it continues does not record that trace. */
  isSampled: boolean;
  startMs: number;
  claims: number;
  agent: string;
  /** When the last claim ended or was submitted. */
  submittedMs: number | null;
  seen: ReturnType<typeof eventOf>[];
};
type OpenClaim = { stretch: Stretch; event: StoredEvent<'claim'> & { type: 'node_claimed' } };

const mostEvents = 100;

/** The events that end a span; all others are ignored. */
export const endsSpan = (event: RecordedEvent): boolean =>
  isStored(event, 'evidence') ||
  (isStored(event, 'claim') && (event.type === 'claim_released' || event.type === 'claim_expired'));

/**
 * The spans that ended with one of the events in `ended`, by their sequences. Everything else is read from the node's history, so a
 * restart loses nothing, and the same spans always have the same ids.
 */
export function spansOfNode(node: TracedNode, ended: ReadonlySet<number>, deps: SpanNodeDeps): Span[] {
  const spans: Span[] = [];
  const evidence = new EvidenceProjection();
  let stretch: Stretch | null = null;
  let open: OpenClaim | null = null;
  for (const event of node.events) {
    if (isStored(event, 'evidence')) {
      const before = proofOf(evidence.of(node.key) ?? null);
      evidence.apply(event);
      const proof = proofOf(evidence.of(node.key) ?? null);
      if (stretch) noteEvidence(stretch, event);
      if (proof !== 'done' || before === 'done' || !stretch) continue;
      if (stretch.isSampled && ended.has(event.sequence))
        spans.push(...provenSpans(node, stretch, event, evidence, deps));
      stretch = null;
    } else if (isStored(event, 'claim')) {
      if (event.type === 'node_claimed' && !event.data.renewed) {
        // A done node cannot be claimed, so its earlier proof is void, as after a new binding.
        evidence.forget(node.key);
        stretch ??= newStretch(node, event, deps.ids);
        stretch.claims += 1;
        stretch.agent = event.data.agent;
        open = { stretch, event };
      } else if (open && (event.type === 'claim_released' || event.type === 'claim_expired')) {
        open.stretch.submittedMs = Date.parse(event.at);
        if (open.stretch.isSampled && ended.has(event.sequence)) spans.push(claimSpan(node, open, event, deps.ids));
        open = null;
      }
    }
  }
  return spans;
}

function newStretch({ key }: TracedNode, { id, at, data }: OpenClaim['event'], ids: TraceIds): Stretch {
  const parent = readTraceParent(data.traceparent);
  return {
    traceId: parent?.traceId ?? ids.traceId('node', key, id),
    spanId: ids.spanId('node', key, id),
    parentSpanId: parent?.spanId,
    isSampled: parent?.isSampled ?? true,
    startMs: Date.parse(at),
    claims: 0,
    agent: data.agent,
    submittedMs: null,
    seen: [],
  };
}

function noteEvidence({ seen }: Stretch, event: StoredEvent<'evidence'>): void {
  if (seen.length >= mostEvents || event.type !== 'evidence_observed') return;
  const { to, detail, runId } = event.data;
  seen.push(
    eventOf(Date.parse(event.at), 'evidence', {
      'signalbox.evidence.state': to,
      'signalbox.evidence.detail': boundedText(detail),
      'signalbox.run.id': runId,
    }),
  );
}

type ClaimEnd = StoredEvent<'claim'> & { type: 'claim_released' | 'claim_expired' };

function claimSpan({ key, ref }: TracedNode, { stretch, event }: OpenClaim, end: ClaimEnd, ids: TraceIds): Span {
  const { agent, session, client, fence, traceparent } = event.data;
  const isExpired = end.type === 'claim_expired';
  const endMs = Date.parse(isExpired ? end.data.expiredAt : end.at);
  const outcome = isExpired ? 'expired' : (end.data.outcome ?? 'returned');
  const { note = null, error } = isExpired ? {} : end.data;
  const other = readTraceParent(traceparent);
  const { tokens } = end.data;
  return spanOf({
    traceId: stretch.traceId,
    spanId: ids.spanId('claim', key, event.id),
    parentSpanId: stretch.spanId,
    name: 'claim',
    startMs: Date.parse(event.at),
    endMs,
    status: isExpired
      ? failed('the lease ended')
      : outcome === 'failed'
        ? failed(error ?? note)
        : outcome === 'submitted'
          ? ok
          : unset,
    attributes: {
      'signalbox.node': ref,
      'signalbox.agent': agent,
      'signalbox.session': session,
      'signalbox.client': client,
      'signalbox.claim.fence': fence,
      'signalbox.claim.outcome': outcome,
      'signalbox.claim.note': note === null ? null : boundedText(note),
      'signalbox.claim.health': end.data.health,
      'gen_ai.usage.input_tokens': tokens?.input,
      'gen_ai.usage.output_tokens': tokens?.output,
    },
    events: error === undefined ? [] : [exceptionOf(endMs, { type: 'attempt_failed', message: error })],
    // A later claim may come from a different trace.
    links: other?.isSampled && other.traceId !== stretch.traceId ? [linkTo(other)] : [],
  });
}

/** The span of the whole work, and the span of waiting for its proof. */
function provenSpans(
  { key, ref, title }: TracedNode,
  stretch: Stretch,
  event: StoredEvent<'evidence'>,
  evidence: EvidenceProjection,
  { ids, traceOfRun }: SpanNodeDeps,
): Span[] {
  const endMs = Date.parse(event.at);
  const { state = null, detail = null, url = null } = evidence.of(key) ?? {};
  const runId = decidedBy(evidence.of(key));
  const links: SpanLink[] = runId === null ? [] : [linkTo(traceOfRun(runId))];
  const about = { 'signalbox.node': ref, 'signalbox.evidence.state': state, 'signalbox.run.id': runId };
  const { traceId, spanId, parentSpanId } = stretch;
  return [
    spanOf({
      ...{ traceId, spanId, parentSpanId, links },
      name: `node ${ref}`,
      startMs: stretch.startMs,
      endMs,
      status: ok,
      attributes: {
        ...about,
        'signalbox.node.title': title === null ? null : boundedText(title),
        'signalbox.node.claims': stretch.claims,
        'signalbox.agent': stretch.agent,
      },
      events: stretch.seen,
    }),
    spanOf({
      ...{ traceId, parentSpanId: spanId, links },
      spanId: ids.spanId('proof', key, event.id),
      name: 'proof',
      startMs: stretch.submittedMs ?? endMs,
      endMs,
      status: ok,
      attributes: {
        ...about,
        'signalbox.evidence.detail': detail === null ? null : boundedText(detail),
        'signalbox.evidence.url': url,
      },
    }),
  ];
}

const linkTo = ({ traceId, spanId }: { traceId: string; spanId: string }): SpanLink => ({ traceId, spanId });
