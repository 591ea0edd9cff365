import type { Parked } from '../../kernel/claim-view.ts';
import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import type { Beginning, LogMark } from '../../kernel/outbox.ts';
import { isOfKind, type NodeKey, nodeKeyOf } from '../../kernel/streams.ts';
import { type Occurrence, type OccurrenceType, occurrenceId } from '../../receivers/occurrence.ts';
import type { Status } from '../plans/contract.ts';
import type { Plan } from '../plans/plan.ts';
import { splitNode } from '../plans/removed-node.ts';
import { isStored } from '../stored-event.ts';
import type { WorkState } from '../work/work-state.ts';

/** The occurrences since the last call, and how far the log was processed. */
export type Drained = { occurrences: readonly Occurrence[]; mark: LogMark | null };

/** The end of an earlier history that the current one lacks. */
export type LostEnd = { id: string; at: string };

type Saved = { last: LogMark; lastAt: string; orphaned: Map<NodeKey, number> };

const none: LogMark = { sequence: 0, id: '' };

/**
 * Derives what happens to nodes, plans and claims event by event, so that even a state that lasts only one commit is
 * announced. It is folded after the state of work, and reads that state as it is after each event.
 */
export class NodeOccurrences implements SavableProjection<Saved> {
  readonly savedAs = 'occurrences';
  /** Called with errors of this derivation, because an event in the log must never be refused for one. */
  onFault: (fault: unknown) => void = () => undefined;
  readonly #work: WorkState;
  readonly #changed: () => number[];
  #statuses: (Status | undefined)[] = [];
  #parked: (Parked | null)[] = [];
  /** The number of open nodes of a plan, by its key. */
  #open = new Map<string, number>();
  /** Nothing up to that sequence is announced. */
  #after = Number.POSITIVE_INFINITY;
  #isOtherHistory = false;
  #last: LogMark = none;
  #lastAt = '';
  #lost: readonly LostEnd[] = [];
  #pending: Occurrence[] = [];
  /** The fence of a claim whose session is gone, by its key. */
  #orphaned = new Map<NodeKey, number>();
  #mark: LogMark | null = null;

  constructor(work: WorkState) {
    this.#work = work;
    this.#changed = work.progress.followChanges();
  }

  /** Sets the mark: only later events are announced; none of the log if it is null. */
  follow(mark: LogMark | null): void {
    this.#mark = mark;
    this.#after = mark?.sequence ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Called once the log is folded. If the mark belongs to another history, announcing begins at the end of this one;
   * null if it belongs to this one.
   */
  begin(): Beginning | null {
    const isOther = this.#mark === null || this.#isOtherHistory || this.#mark.sequence > this.#last.sequence;
    return isOther ? { mark: this.skip(), after: this.#mark } : null;
  }

  /** Drops occurrences that were not drained. */
  skip(): LogMark {
    this.#pending = [];
    this.#after = this.#last.sequence;
    return this.#last;
  }

  drain(): Drained {
    const occurrences = this.#pending;
    this.#pending = [];
    this.#after = Math.max(this.#after, this.#last.sequence);
    return { occurrences, mark: this.#last };
  }

  /** The ends of all histories since the last `forget`, as far as this one lacks them. */
  get lost(): readonly LostEnd[] {
    return this.#lost;
  }

  forget(ends: readonly LostEnd[]): void {
    this.#lost = this.#lost.filter((end) => !ends.includes(end));
  }

  apply(event: RecordedEvent): void {
    this.#last = { sequence: event.sequence, id: event.id };
    this.#lastAt = event.at;
    if (this.#lost.length > 0) this.#lost = this.#lost.filter(({ id }) => id !== event.id);
    if (event.sequence === this.#mark?.sequence && event.id !== this.#mark.id) this.#isOtherHistory = true;
    try {
      this.#derive(event);
    } catch (fault) {
      this.onFault(fault);
    }
  }

  reset(): void {
    this.#statuses = [];
    this.#parked = [];
    this.#open.clear();
    this.#pending = [];
    this.#orphaned.clear();
    if (this.#last !== none) this.#lost = [...this.#lost, { id: this.#last.id, at: this.#lastAt }];
    this.#last = none;
    this.#changed();
  }

  save(): Saved {
    return { last: this.#last, lastAt: this.#lastAt, orphaned: this.#orphaned };
  }

  /** The work state was loaded earlier. */
  load({ last, lastAt, orphaned }: Saved): void {
    this.reset();
    this.#last = last;
    this.#lastAt = lastAt;
    this.#orphaned = orphaned;
    for (let vertex = 0; vertex < this.#work.plans.graph.size; vertex += 1) this.#take(vertex, '');
    this.#changed();
  }

  #derive(event: RecordedEvent): void {
    const own = this.#vertexOf(event);
    const tell = (type: OccurrenceType, subject: string, text: string, data: Record<string, unknown>) => {
      if (event.sequence <= this.#after) return;
      const id = occurrenceId(type, event.id, subject);
      this.#pending.push({ id, type, subject, at: event.at, text, data });
    };
    const told: Tell = (type, vertex, text, data = {}) => {
      if (this.#isActive(vertex)) tell(type, this.#refOf(vertex), text, { ...this.#factsOf(vertex), ...data });
    };
    if (own !== undefined) {
      ownOccurrence(event, own, this.#refOf(own), told);
      this.#tellOrphaned(event, own, told);
    }
    const plans = new Set<Plan>();
    const changed = [...this.#changed(), ...(own === undefined || isHalf(event) ? [] : [own])];
    for (const vertex of new Set(changed)) {
      const plan = this.#work.plans.graph.plans[vertex];
      const before = this.#statuses[vertex];
      const wasParked = this.#parked[vertex] ?? null;
      const changesPlan = this.#take(vertex, event.at);
      if (changesPlan && plan) plans.add(plan);
      this.#tellStatus(vertex, before, event, told);
      const parked = this.#parked[vertex] ?? null;
      if (parked !== null && parked !== wasParked)
        told('node_parked', vertex, parkedText(this.#refOf(vertex), parked), { parked });
    }
    for (const plan of plans) {
      const { slug, title, nodes } = plan;
      if (nodes.size === 0 || plan.archivedAt !== null || this.#open.get(slug.toLowerCase()) !== 0) continue;
      tell('plan_done', slug, `Every node of ${slug} is done.`, { plan: slug, title, nodes: nodes.size });
    }
  }

  /** Announced once for a claim, and again after its session has come back and gone again. */
  #tellOrphaned(event: RecordedEvent, vertex: number, told: Tell): void {
    if (!isStored(event, 'link')) return;
    const key = nodeKeyOf(event);
    const { reason, sessionId, host, fence, health } = event.data;
    const isTold = this.#orphaned.get(key) === fence;
    if (health !== 'orphaned') this.#orphaned.delete(key);
    if (health !== 'orphaned' || isTold) return;
    this.#orphaned.set(key, fence);
    const agent = this.#work.claims.of(key).lease?.agent ?? 'An agent';
    const why = reason === null ? '' : ` (${reason})`;
    const text = `${agent} holds ${this.#refOf(vertex)}, but the session behind it is gone${why}.`;
    told('claim_orphaned', vertex, text, { agent, reason, session: sessionId, host, fence });
  }

  #tellStatus(vertex: number, before: Status | undefined, { at }: RecordedEvent, told: Tell): void {
    const status = this.#statuses[vertex];
    if (status === before || status === undefined) return;
    const ref = this.#refOf(vertex);
    const from = { from: before ?? null };
    if (status === 'ready') {
      const why = before === 'blocked' ? 'nothing blocks it any more' : 'nobody holds it';
      told('node_ready', vertex, `${ref} is ready: ${why}.`, from);
    }
    if (status !== 'done' && status !== 'failed') return;
    const { state = null, detail = null, url = null, runId = null } = this.#work.evidenceOf(vertex) ?? {};
    const agent = this.#work.liveLease(vertex, at)?.agent ?? this.#work.claims.of(this.#work.keyOf(vertex)).last?.agent;
    const text = `${ref} ${status === 'done' ? 'is done' : 'failed'}${detail === null ? '' : `: ${detail}`}`;
    const data = { ...from, agent: agent ?? null, evidence: { state, detail, url, runId } };
    told(status === 'done' ? 'node_done' : 'node_failed', vertex, text.endsWith('.') ? text : `${text}.`, data);
  }

  /** Records the current state of a node. True if its plan may have become done. */
  #take(vertex: number, at: string): boolean {
    const { nodes, keys } = this.#work.plans.graph;
    const key = (keys[vertex] ?? '').split('/', 1)[0] ?? '';
    const before = this.#statuses[vertex];
    const status = nodes[vertex] ? this.#work.status(vertex, at) : undefined;
    this.#statuses[vertex] = status;
    this.#parked[vertex] = status === undefined ? null : this.#parkedOf(vertex, at);
    const isOpen = status !== undefined && status !== 'done';
    const wasOpen = before !== undefined && before !== 'done';
    if (isOpen !== wasOpen) this.#open.set(key, (this.#open.get(key) ?? 0) + (isOpen ? 1 : -1));
    else if (!this.#open.has(key)) this.#open.set(key, 0);
    return !isOpen && (wasOpen || before !== status);
  }

  /** Why a node is parked, by the usage of ended claims: the usage of a live session is known only to the views. */
  #parkedOf(vertex: number, at: string): Parked | null {
    const work = this.#work;
    const { nodes, plans } = work.plans.graph;
    if (work.progress.isDone(vertex)) return null;
    if (work.attemptsOf(vertex, at).failed >= work.attemptLimitOf(vertex)) return 'attempts';
    const [budget, planBudget] = [nodes[vertex]?.budget, plans[vertex]?.budget];
    if (budget && (work.claims.of(work.keyOf(vertex)).spent?.tokens ?? 0) >= budget.tokens) return 'budget';
    const slug = plans[vertex]?.slug;
    return planBudget && slug && work.claims.spentOn(slug).tokens >= planBudget.tokens ? 'budget' : null;
  }

  #factsOf(vertex: number): Record<string, unknown> {
    const { graph } = this.#work.plans;
    const [node, plan] = [graph.nodes[vertex], graph.plans[vertex]];
    return {
      plan: plan?.slug ?? null,
      node: node?.id ?? null,
      title: node?.title ?? null,
      repository: node?.repository ?? plan?.repository ?? null,
      labels: node?.labels ?? [],
      status: this.#statuses[vertex] ?? null,
      pullRequest: this.#pullRequestOf(vertex),
    };
  }

  /** `owner/name#number` of the pull request that proves it, as far as one is known. */
  #pullRequestOf(vertex: number): string | null {
    const binding = this.#work.plans.graph.nodes[vertex]?.binding;
    if (binding?.kind !== 'pullRequest') return null;
    if (binding.pullRequest !== undefined) return binding.pullRequest;
    const url = this.#work.evidenceOf(vertex)?.url ?? '';
    const [, repository, number] = /\/([^/]+\/[^/]+)\/pull\/(\d+)$/.exec(url.slice(-300)) ?? [];
    return repository === undefined ? null : `${repository}#${number}`;
  }

  #vertexOf(event: RecordedEvent): number | undefined {
    const key: NodeKey | undefined =
      isOfKind(event, 'claim') || isOfKind(event, 'link') ? nodeKeyOf(event) : splitNode(event)?.key;
    return key === undefined ? undefined : this.#work.plans.graph.find(key);
  }

  #refOf(vertex: number): string {
    return this.#work.plans.refOf(vertex);
  }

  #isActive(vertex: number): boolean {
    const { nodes, plans } = this.#work.plans.graph;
    return nodes[vertex] !== undefined && plans[vertex]?.archivedAt === null;
  }
}

type Tell = (type: OccurrenceType, vertex: number, text: string, data?: Record<string, unknown>) => void;

/** The occurrences that follow from one event alone. */
function ownOccurrence(event: RecordedEvent, vertex: number, ref: string, tell: Tell): void {
  if (isStored(event, 'claim') && event.type === 'node_claimed' && !event.data.renewed) {
    const { agent, session, expiresAt, fence } = event.data;
    tell('node_claimed', vertex, `${agent} claimed ${ref}.`, { status: 'claimed', agent, session, expiresAt, fence });
  } else if (isStored(event, 'claim') && event.type === 'node_submitted') {
    const { agent, session, note } = event.data;
    const text = `${agent} submitted ${ref}${note === null ? '' : `: ${note}`}`;
    tell('node_submitted', vertex, text, { status: 'submitted', agent, session, note });
  }
}

/** The next event of the same decision changes the node again, so in between it is not really ready. */
function isHalf(event: RecordedEvent): boolean {
  if (!isStored(event, 'claim')) return false;
  if (event.type === 'claim_released') return event.data.outcome === 'submitted';
  return event.type === 'submission_ended' && event.data.how === 'taken_up';
}

const parkedText = (ref: string, parked: Parked): string =>
  parked === 'attempts' ? `${ref} is parked: too many attempts failed.` : `${ref} is parked: its budget is used up.`;
