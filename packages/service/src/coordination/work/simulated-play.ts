import type { Task } from '../../event-loop/task.ts';
import type { NewEvent, RecordedEvent } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { type NodeKey, streams } from '../../kernel/streams.ts';
import { claimNode, releaseNode } from '../claims/decide.ts';
import { noSessions, unobservedLinks } from './claim-session.ts';
import { factsOf } from './claiming.ts';
import { nextNode, type PassedBy } from './ready-nodes.ts';
import { keyOfSceneNode, type Scene, type SceneNode } from './simulation-scene.ts';
import { WorkState } from './work-state.ts';

export type PlayOptions = {
  agents: number;
  /** Minutes from the end of the work to its proof. */
  proofMinutes: number;
  /** Whether this attempt at a node fails, by the number of the attempt. */
  fails: (key: NodeKey, tries: number) => boolean;
};

/** One simulated node; times in ms since the epoch. */
export type PlayedNode = {
  key: NodeKey;
  agent: number;
  startedAt: number;
  endedAt: number;
  provenAt: number;
  tries: number;
};

export type Play = {
  startedAt: number;
  /** When the last node was proven; null if some never are. */
  endedAt: number | null;
  nodes: ReadonlyMap<NodeKey, PlayedNode>;
  /** How many agents were idle, from each instant until the next. */
  idle: readonly { at: number; agents: number }[];
  mostBusy: number;
  /** Nodes that nobody could finish. */
  left: readonly { key: NodeKey; status: string }[];
};

type Due = { at: number; happen: () => void };

/** The share of the estimate that a node still needs if it has already taken longer than the estimate. */
const leastLeft = 0.1;
const minuteMs = 60_000;
/** Graph steps between two turns of the event loop. */
const visitsPerStep = 8_192;

/** Simulates a scene to its end on a clock that does not wait: agents get nodes as `claim_next` hands them out. */
export function* playScene(scene: Scene, options: PlayOptions): Task<Play> {
  const stage = new Stage(scene, options);
  for (const node of scene.nodes) {
    stage.add(node);
    yield;
  }
  for (const node of scene.nodes) {
    if (node.failed > 0) stage.recall(node);
    if (node.begun) stage.resume(node, node.begun);
  }
  do yield* stage.assign();
  while (stage.step());
  return stage.result();
}

class Stage {
  readonly #workState = new WorkState();
  readonly #options: PlayOptions;
  readonly #startedAt: number;
  readonly #played = new Map<NodeKey, PlayedNode>();
  readonly #minutes = new Map<NodeKey, number>();
  readonly #idle: { at: number; agents: number }[] = [];
  #free: number[];
  #busy = 0;
  #mostBusy = 0;
  #now: number;
  #due: Due[] = [];
  #sequence: number;

  constructor(scene: Scene, options: PlayOptions) {
    this.#options = options;
    this.#workState.maxAttempts = scene.maxAttempts;
    this.#startedAt = this.#now = Date.parse(scene.now);
    this.#sequence = Math.max(1, ...scene.nodes.map(({ added }) => added));
    for (const document of scene.plans) {
      const slug = document.plan ?? '';
      this.#apply(streams.plan(slug), streams.plan(slug), {
        type: 'plan_created',
        data: { document, source: 'api' },
        by: 'simulation',
      });
    }
    const begun = scene.nodes.filter(({ begun: of }) => of !== null && of !== 'submitted');
    this.#free = Array.from({ length: Math.max(options.agents, begun.length) }, (_, index) => index + 1);
  }

  /** Advances to the next instant at which something happens; false at the end. */
  step(): boolean {
    const next = this.#due[0];
    if (next === undefined) return false;
    this.#now = next.at;
    while (this.#due[0]?.at === this.#now) this.#due.shift()?.happen();
    return true;
  }

  result(): Play {
    const { graph } = this.#workState.plans;
    const now = this.#time();
    const left = graph.nodes.flatMap((node, vertex) => {
      const isOpen = node !== undefined && !this.#workState.progress.isDone(vertex);
      return isOpen ? [{ key: this.#workState.keyOf(vertex), status: this.#workState.status(vertex, now) }] : [];
    });
    return {
      startedAt: this.#startedAt,
      endedAt: left.length === 0 ? this.#now : null,
      nodes: this.#played,
      idle: this.#idle,
      mostBusy: this.#mostBusy,
      left,
    };
  }

  #time(): string {
    return new Date(this.#now).toISOString();
  }

  add(node: SceneNode): void {
    const { plan, document, added } = node;
    const stream = streams.plan(plan);
    this.#minutes.set(keyOfSceneNode(node), document.estimateMinutes ?? 0);
    this.#apply(stream, stream, { type: 'node_added', data: { node: document }, by: 'simulation' }, added);
  }

  /** Earlier failed attempts count, so that a node is parked at the right time. */
  recall(node: SceneNode): void {
    const vertex = this.#workState.plans.vertex(node.plan, node.document.id);
    for (let number = 0; number < node.failed; number += 1) {
      this.#claim(vertex, 0);
      this.#release(vertex, 0, 'failed');
    }
  }

  resume(node: SceneNode, begun: NonNullable<SceneNode['begun']>): void {
    const key = keyOfSceneNode(node);
    const vertex = this.#workState.plans.vertex(node.plan, node.document.id);
    if (begun === 'submitted') {
      this.#played.set(key, this.#begin(key, 0));
      this.#claim(vertex, 0);
      this.#release(vertex, 0, 'submitted');
      this.#prove(vertex, key);
      return;
    }
    const estimate = this.#estimateMs(key);
    const left = Math.max(estimate - (this.#now - Date.parse(begun.at)), estimate * leastLeft);
    this.#start(vertex, left);
  }

  /** Every free agent requests the next node, as a worker does. */
  *assign(): Task<void> {
    while (!this.#workState.progress.settleOrder(visitsPerStep)) yield;
    yield;
    while (this.#free.length > 0) {
      const { vertex, passedBy } = nextNode(this.#view(), {});
      if (vertex === undefined) {
        this.#askAgain(passedBy);
        break;
      }
      this.#start(vertex, this.#estimateMs(this.#workState.keyOf(vertex)));
    }
    const idle = this.#free.length;
    const last = this.#idle.at(-1);
    if (last?.at === this.#now) last.agents = idle;
    else if (last?.agents !== idle) this.#idle.push({ at: this.#now, agents: idle });
  }

  #view() {
    return { workState: this.#workState, links: unobservedLinks, now: this.#time(), maxClaimsOf: () => null };
  }

  /** A failed node is not handed out before its time. */
  #askAgain(passedBy: readonly PassedBy[]): void {
    const times = passedBy.flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
    if (times.length > 0) this.#later(Math.min(...times), () => undefined);
  }

  #start(vertex: number, forMs: number): void {
    const agent = this.#free.shift() ?? 0;
    this.#busy += 1;
    this.#mostBusy = Math.max(this.#mostBusy, this.#busy);
    const key = this.#workState.keyOf(vertex);
    const played = this.#begin(key, agent);
    this.#played.set(key, played);
    this.#claim(vertex, agent);
    this.#later(this.#now + forMs, () => this.#end(vertex, played));
  }

  /** The duration is counted from the first attempt, so failed attempts are part of it. */
  #begin(key: NodeKey, agent: number): PlayedNode {
    const before = this.#played.get(key);
    const startedAt = before?.startedAt ?? this.#now;
    return { key, agent, startedAt, endedAt: this.#now, provenAt: this.#now, tries: (before?.tries ?? 0) + 1 };
  }

  #end(vertex: number, played: PlayedNode): void {
    this.#free.push(played.agent);
    this.#free.sort((a, b) => a - b);
    this.#busy -= 1;
    played.endedAt = this.#now;
    const failed = this.#options.fails(played.key, played.tries);
    this.#release(vertex, played.agent, failed ? 'failed' : 'submitted');
    if (!failed) this.#prove(vertex, played.key);
  }

  #prove(vertex: number, key: NodeKey): void {
    this.#later(this.#now + this.#options.proofMinutes * minuteMs, () => {
      const played = this.#played.get(key);
      if (played) played.provenAt = this.#now;
      const id = this.#workState.plans.graph.nodes[vertex]?.id ?? '';
      const seen = { id, from: 'notObserved', to: 'passed', settled: 'passed', detail: '', url: null, runId: null };
      const event = { type: 'evidence_observed', data: seen, by: 'simulation', provenance: 'observed' as const };
      this.#apply(streams.evidence(key), this.#topicOf(vertex), event);
    });
  }

  #claim(vertex: number, agent: number): void {
    // Workers renew their claims, so that none expires.
    const leaseMinutes = 1 + (this.#minutes.get(this.#workState.keyOf(vertex)) ?? 0);
    this.#write(vertex, claimNode({ agent: agentName(agent), leaseMinutes }, this.#facts(vertex)));
  }

  #release(vertex: number, agent: number, outcome: 'submitted' | 'failed'): void {
    this.#write(vertex, releaseNode({ agent: agentName(agent), outcome }, this.#facts(vertex)));
  }

  #facts(vertex: number) {
    // In a simulation a proof is never overdue: it arrives when the options say.
    const submittedHours = 1 + this.#options.proofMinutes;
    const context = { workState: this.#workState, links: unobservedLinks, sessions: noSessions, submittedHours };
    return factsOf(context, vertex, this.#time());
  }

  #write(vertex: number, decided: ReturnType<typeof claimNode>): void {
    if (isRefusal(decided) || !Array.isArray(decided))
      throw new Error(`the simulation was refused: ${JSON.stringify(decided)}`);
    const stream = streams.claim(this.#workState.keyOf(vertex));
    for (const event of decided) this.#apply(stream, this.#topicOf(vertex), { ...event, by: 'simulation' });
  }

  #topicOf(vertex: number): string {
    return streams.plan(this.#workState.plans.graph.plans[vertex]?.slug ?? '');
  }

  #apply(stream: string, topic: string, event: NewEvent, added?: number): void {
    if (added === undefined) this.#sequence += 1;
    const sequence = added ?? this.#sequence;
    const recorded: RecordedEvent = {
      provenance: 'asserted',
      ...event,
      stream,
      topic,
      sequence,
      version: sequence,
      id: '',
      at: this.#time(),
    };
    this.#workState.apply(recorded);
  }

  #estimateMs(key: NodeKey): number {
    return (this.#minutes.get(key) ?? 0) * minuteMs;
  }

  #later(at: number, happen: () => void): void {
    this.#due.splice(this.#due.findLastIndex((due) => due.at <= at) + 1, 0, { at, happen });
  }
}

const agentName = (agent: number): string => `agent ${agent}`;
