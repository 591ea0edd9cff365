import type { RecordedEvent } from '../../kernel/event-log.ts';
import type { RunSummary } from '../../kernel/run-summary.ts';
import { keyOfRef, type NodeKey, nodeKey, nodeKeyOf, planOf } from '../../kernel/streams.ts';
import { tokensIn } from '../claims/lease.ts';
import type { EvidenceState } from '../evidence/contract.ts';
import { proofOfState } from '../evidence/node-evidence.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import type { BarEnd, Figures, Lane, Report, ReportGroup } from './contract.ts';

/** Who held a node: the label, the caller's token and the session, as far as they are known. */
export type Holder = { agent: string; token: string | null; session: string | null };
/** A claim that was live when the window began, or that is live and has no event in the window. */
export type EarlierClaim = Holder & { claimedAt: string; expiresAt: string };
export type EarlierSubmission = { agent: string; at: string };

export type NodeFacts = {
  ref: string;
  title: string;
  repository: string | null;
  /** Whether a person, or nothing, decides that it is done. */
  decidedByPerson: boolean;
};

export type DayFacts = {
  since: string;
  now: string;
  by: ReportGroup;
  /** All events since `since`, in order. */
  events: readonly RecordedEvent[];
  heldBefore: ReadonlyMap<NodeKey, EarlierClaim>;
  submittedBefore: ReadonlyMap<NodeKey, EarlierSubmission>;
  /** The last holder before the window. */
  lastHolder: (key: NodeKey) => Holder | null;
  /** The current state; undefined if the node no longer exists. */
  nodeOf: (key: NodeKey) => NodeFacts | undefined;
  /** The tokens that the session of a live claim has used so far. */
  usedNow: (key: NodeKey) => number;
  runs: readonly RunSummary[];
};

type Bar = Holder & { key: NodeKey; from: string; to: string; expiresAt: string; end: BarEnd; tokens: number };
type Wait = { key: NodeKey; agent: string; holder: Holder; from: string; to: string | null };
type Done = { key: NodeKey; holder: Holder | null; at: string; how: string };

export type Day = Pick<Report, 'totals' | 'rows' | 'done' | 'doneHow' | 'takenBack' | 'awaited'> & { lanes: Lane[] };

/** A label such as `ada/claude` belongs to ada; a named token names its person. */
export const personOf = ({ agent, token }: Pick<Holder, 'agent' | 'token'>): string =>
  token ?? agent.split('/', 1)[0] ?? agent;

/** The report on a period, computed from its events. This is the only place that counts it. */
export function dayOf(facts: DayFacts): Day {
  const fold = new DayFold(facts);
  for (const event of facts.events) fold.take(event);
  fold.end();
  return fold.result();
}

const noFigures = (): Figures => ({
  done: 0,
  submitted: 0,
  failed: 0,
  givenBack: 0,
  expired: 0,
  claims: 0,
  heldMs: 0,
  tokens: 0,
  runs: 0,
  runsFailed: 0,
  waitedMs: 0,
});

const isFigure = (name: string): name is keyof Figures => name in noFigures();
const figureNames = Object.keys(noFigures()).filter(isFigure);

class DayFold {
  readonly #facts: DayFacts;
  readonly #bars: Bar[] = [];
  readonly #open = new Map<NodeKey, Bar>();
  readonly #lastBar = new Map<NodeKey, Bar>();
  readonly #waits: Wait[] = [];
  readonly #waiting = new Map<NodeKey, Wait>();
  /** When the session behind a claim became idle between turns. */
  readonly #stalled = new Map<NodeKey, string>();
  readonly #done = new Map<NodeKey, Done>();
  readonly #proofs = new Map<NodeKey, string>();
  readonly #takenBack: Report['takenBack'] = [];
  readonly #totals = noFigures();
  readonly #rows = new Map<string | null, Figures>();

  constructor(facts: DayFacts) {
    this.#facts = facts;
    for (const [key, claim] of facts.heldBefore) this.#begin(key, claim, claim.claimedAt, claim.expiresAt);
    for (const [key, { agent, at }] of facts.submittedBefore) this.#beginWait(key, agent, at);
  }

  take(event: RecordedEvent): void {
    if (isStored(event, 'claim')) this.#takeClaim(event);
    else if (isStored(event, 'evidence')) this.#takeEvidence(event);
    else if (isStored(event, 'link')) this.#takeLink(event);
    else if (isStored(event, 'plan')) this.#takePlan(event);
  }

  end(): void {
    const { now, usedNow, runs } = this.#facts;
    for (const [key, bar] of [...this.#open]) {
      if (bar.expiresAt <= now) this.#endBar(key, bar.expiresAt, 'expired', 0, bar.agent);
      else this.#endBar(key, now, 'live', usedNow(key), bar.agent);
    }
    for (const wait of this.#waits) this.#countWait(wait);
    for (const { key, holder } of this.#done.values()) this.#count(key, holder, { done: 1 });
    for (const run of runs) this.#takeRun(run);
  }

  result(): Day {
    const { now, nodeOf, since } = this.#facts;
    const title = (key: NodeKey) => nodeOf(key)?.title ?? '';
    return {
      totals: this.#totals,
      rows: [...this.#rows].map(([key, row]) => ({ key, ...row })).sort(mostDoneFirst),
      done: [...this.#done.values()]
        .map(({ key, holder, at, how }) => ({
          ref: this.#refOf(key),
          title: title(key),
          agent: holder?.agent ?? null,
          at,
          how,
        }))
        .sort((a, b) => (a.at < b.at ? 1 : -1)),
      doneHow: countBy([...this.#done.values()].map(({ how }) => how)),
      takenBack: this.#takenBack.toReversed(),
      awaited: [...this.#waiting.values()]
        .map(({ key, agent, from }) => ({
          ref: this.#refOf(key),
          title: title(key),
          agent,
          since: from,
          person: nodeOf(key)?.decidedByPerson ?? false,
        }))
        .sort((a, b) => (a.since < b.since ? -1 : 1)),
      lanes: this.#lanes(since, now),
    };
  }

  #takeClaim(event: StoredEvent<'claim'>): void {
    const { at, by } = event;
    const key = nodeKeyOf(event);
    switch (event.type) {
      case 'node_claimed': {
        const { agent, session, token = null, expiresAt, renewed } = event.data;
        const open = this.#open.get(key);
        if (open && renewed) {
          Object.assign(open, { expiresAt, session: session ?? open.session, token: token ?? open.token });
          return;
        }
        if (open) this.#endBar(key, open.expiresAt < at ? open.expiresAt : at, 'expired', 0, open.agent);
        this.#begin(key, { agent, session, token }, at, expiresAt);
        this.#count(key, { agent, session, token }, { claims: 1 });
        return;
      }
      case 'claim_reported': {
        const open = this.#open.get(key);
        if (open) open.expiresAt = event.data.expiresAt;
        return;
      }
      case 'claim_released': {
        const { outcome = 'released', tokens } = event.data;
        this.#endBar(key, at, outcome, tokens ? tokensIn(tokens) : 0, by);
        return;
      }
      case 'claim_expired': {
        const { expiredAt, tokens, agent } = event.data;
        this.#endBar(key, expiredAt, 'expired', tokens ? tokensIn(tokens) : 0, agent);
        return;
      }
      case 'node_submitted': {
        this.#beginWait(key, event.data.agent, at);
        this.#count(key, this.#holderOf(key), { submitted: 1 });
        return;
      }
      case 'submission_ended':
        this.#endWait(key, at);
    }
  }

  #takeEvidence(event: StoredEvent<'evidence'>): void {
    const key = nodeKeyOf(event);
    if (event.type === 'node_signed_off') {
      const { revoked, refused = false } = event.data;
      if (refused) this.#count(key, this.#holderOf(key), { failed: 1 });
      this.#prove(key, refused || revoked ? 'open' : 'done', event.at, 'signed off');
    } else if (event.type === 'evidence_withdrawn') this.#prove(key, 'open', event.at, '');
    else {
      const { from, settled, to } = event.data;
      if (!this.#proofs.has(key)) this.#proofs.set(key, proofOfState(from));
      const before = this.#proofs.get(key);
      const proof = proofOfState(settled);
      if (proof === 'failed' && before !== 'failed') this.#count(key, this.#holderOf(key), { failed: 1 });
      this.#prove(key, proof, event.at, howOf(to));
    }
  }

  #takeLink(event: StoredEvent<'link'>): void {
    const key = nodeKeyOf(event);
    if (!this.#open.has(key)) return;
    if (event.data.health !== 'stalled') this.#endStall(key, event.at);
    else if (!this.#stalled.has(key)) this.#stalled.set(key, event.at);
  }

  #takePlan(event: StoredEvent<'plan'>): void {
    const plan = planOf(event);
    if (plan === undefined) return;
    if (event.type === 'node_removed') {
      const key = nodeKey(plan, event.data.id);
      this.#endBar(key, event.at, 'removed', 0, event.by);
      this.#endWait(key, event.at);
      this.#done.delete(key);
    } else if (event.type === 'node_split') {
      const { tokens } = event.data.ended;
      this.#endBar(nodeKey(plan, event.data.id), event.at, 'released', tokens ? tokensIn(tokens) : 0, event.by);
    }
  }

  #takeRun(run: RunSummary): void {
    const key = run.tag?.includes('/') ? keyOfRef(run.tag) : null;
    const at = run.receivedAt ?? run.startedAt ?? '';
    const bar = this.#bars.findLast(
      (one) => one.from <= at && (one.key === key || (run.session !== null && one.session === run.session)),
    );
    const holder =
      bar ?? (run.publisher === null ? null : { agent: run.publisher, token: run.publisher, session: null });
    const figures = { runs: 1, runsFailed: run.green === false ? 1 : 0 };
    const { by, nodeOf } = this.#facts;
    const row =
      by === 'repository'
        ? run.repositoryName
        : by === 'plan'
          ? key !== null && nodeOf(key)
            ? (key.split('/', 1)[0] ?? null)
            : null
          : holder && this.#nameOf(holder);
    this.#add(row, figures);
  }

  #begin(key: NodeKey, { agent, token, session }: Holder, from: string, expiresAt: string): void {
    const bar: Bar = { key, agent, token, session, from, to: from, expiresAt, end: 'live', tokens: 0 };
    this.#bars.push(bar);
    this.#open.set(key, bar);
    this.#lastBar.set(key, bar);
  }

  #endBar(key: NodeKey, to: string, end: BarEnd, tokens: number, by: string): void {
    const bar = this.#open.get(key);
    if (!bar) return;
    this.#open.delete(key);
    this.#endStall(key, to, bar);
    Object.assign(bar, { to, end, tokens });
    const { since } = this.#facts;
    const heldMs = Math.max(0, Date.parse(to) - Date.parse(bar.from > since ? bar.from : since));
    this.#count(key, bar, {
      heldMs,
      tokens,
      ...(end === 'failed' && { failed: 1 }),
      ...(end === 'expired' && { expired: 1 }),
      ...((end === 'released' || end === 'removed') && { givenBack: 1 }),
    });
    const isOthers = by.toLowerCase() !== bar.agent.toLowerCase() && by !== bar.token;
    if (end === 'expired' || end === 'removed' || (end !== 'live' && isOthers)) {
      const how = end === 'expired' || end === 'removed' ? end : 'released';
      this.#takenBack.push({ ref: this.#refOf(key), agent: bar.agent, at: to, how, by });
    }
  }

  #endStall(key: NodeKey, at: string, bar: Bar | undefined = this.#open.get(key)): void {
    const since = this.#stalled.get(key);
    this.#stalled.delete(key);
    if (since !== undefined && bar && since < at)
      this.#count(key, bar, { waitedMs: Date.parse(at) - Date.parse(since) });
  }

  #beginWait(key: NodeKey, agent: string, from: string): void {
    const holder = this.#holderOf(key) ?? { agent, token: null, session: null };
    const wait: Wait = { key, agent, holder, from, to: null };
    this.#waits.push(wait);
    this.#waiting.set(key, wait);
  }

  #endWait(key: NodeKey, at: string): void {
    const wait = this.#waiting.get(key);
    if (wait) wait.to = at;
    this.#waiting.delete(key);
  }

  #countWait({ key, holder, from, to }: Wait): void {
    const { since, now, nodeOf } = this.#facts;
    if (!nodeOf(key)?.decidedByPerson) return;
    const waitedMs = Date.parse(to ?? now) - Date.parse(from > since ? from : since);
    this.#count(key, holder, { waitedMs: Math.max(0, waitedMs) });
  }

  #prove(key: NodeKey, proof: string, at: string, how: string): void {
    const before = this.#proofs.get(key);
    this.#proofs.set(key, proof);
    if (proof === before) return;
    if (proof === 'done') {
      this.#done.set(key, { key, holder: this.#holderOf(key), at, how });
      // The event for it is only written at the next read.
      this.#endWait(key, at);
    } else if (proof !== 'running') this.#done.delete(key);
  }

  #holderOf(key: NodeKey): Holder | null {
    return this.#lastBar.get(key) ?? this.#facts.lastHolder(key);
  }

  #refOf(key: NodeKey): string {
    return this.#facts.nodeOf(key)?.ref ?? key;
  }

  #nameOf(holder: Holder): string {
    return this.#facts.by === 'person' ? personOf(holder) : holder.agent;
  }

  /** The row of the report for an event on a node. */
  #rowOf(key: NodeKey, holder: Holder | null): string | null {
    const { by, nodeOf } = this.#facts;
    if (by === 'plan') return key.split('/', 1)[0] ?? null;
    if (by === 'repository') return nodeOf(key)?.repository ?? null;
    return holder && this.#nameOf(holder);
  }

  #count(key: NodeKey, holder: Holder | null, more: Partial<Figures>): void {
    this.#add(this.#rowOf(key, holder), more);
  }

  #add(name: string | null, more: Partial<Figures>): void {
    const row = this.#rows.get(name) ?? noFigures();
    this.#rows.set(name, row);
    for (const each of figureNames) {
      row[each] += more[each] ?? 0;
      this.#totals[each] += more[each] ?? 0;
    }
  }

  #lanes(since: string, now: string): Lane[] {
    const lanes = new Map<string, Lane>();
    const laneOf = (key: NodeKey, holder: Holder): Lane => {
      const name = this.#rowOf(key, holder) ?? '';
      const lane = lanes.get(name) ?? { key: name, bars: [], waits: [] };
      lanes.set(name, lane);
      return lane;
    };
    for (const bar of this.#bars) {
      const { key, agent, to, end } = bar;
      const isProven = this.#lastBar.get(key) === bar && this.#done.has(key);
      const from = bar.from > since ? bar.from : since;
      laneOf(key, bar).bars.push({ ref: this.#refOf(key), from, to, end: isProven ? 'done' : end, agent });
    }
    for (const { key, holder, from, to } of this.#waits)
      laneOf(key, holder).waits.push({ ref: this.#refOf(key), from: from > since ? from : since, to: to ?? now });
    return [...lanes.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

const wordOf: Partial<Record<EvidenceState, string>> = {
  passed: 'a suite',
  merged: 'merged',
  closed: 'issue closed',
  published: 'published',
  taken: 'dependency taken',
  committed: 'committed',
  signed: 'signed off',
};
const howOf = (state: EvidenceState): string => wordOf[state] ?? state;

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

type Row = Report['rows'][number];

const mostDoneFirst = (a: Row, b: Row): number =>
  b.done - a.done ||
  b.submitted - a.submitted ||
  b.claims - a.claims ||
  b.runs - a.runs ||
  ((a.key ?? '\uffff') < (b.key ?? '\uffff') ? -1 : 1);
