import { z } from 'zod';
import { iso } from '../../kernel/clock.ts';
import { commandFor, unknownCaller } from '../../kernel/command.ts';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { isRefusal, type Refusal, refuseShape } from '../../kernel/outcome.ts';
import { isOfKind, type NodeKey, nodeKey, nodeKeyOf, streams } from '../../kernel/streams.ts';
import type { AgentsContext } from '../agents/commands.ts';
import { parseSince } from '../agents/since.ts';
import { evolve, tokensIn, unclaimed } from '../claims/lease.ts';
import { type NeedsContext, needsCommands } from '../needs/commands.ts';
import { given } from '../plans/samples.ts';
import type { RunsContext } from '../runs/commands.ts';
import { isStored } from '../stored-event.ts';
import { linkOf, repositoryOfNode, tokensUsedBy, type ViewContext } from '../work/claim-session.ts';
import { liveClaims, parkedOf } from '../work/parked.ts';
import { readyNodes } from '../work/ready-nodes.ts';
import { describeLeverage } from '../work/view-node.ts';
import { viewContextOf, type WorkContext } from '../work/work-context.ts';
import { activityEntry, activityKind, type Report, report, reportGroup } from './contract.ts';
import { eventOfDay, eventsSince } from './day-events.ts';
import { type DayFacts, dayOf, type EarlierClaim, type EarlierSubmission, type NodeFacts, personOf } from './decide.ts';
import { eventEntry, type FeedNames, feedOf, timeOfRun } from './feed.ts';

type ActivityContext = WorkContext & AgentsContext & RunsContext & NeedsContext;

const command = commandFor<ActivityContext>();

/** The instant that `today`, `24h`, `7d` or an ISO time means, in UTC; null for anything else. */
function sinceInstant(text: string, now: string): string | null {
  const ms = text === 'today' ? Date.parse(now.slice(0, 10)) : parseSince(text, Date.parse(now));
  return ms === undefined ? null : iso(ms);
}

const since = z.string().max(40).default('today').describe('today (UTC), 24h, 7d or ISO');
const held = [...given, ['claim_node', { plan: 'checkout-2', node: 'lexer', agent: 'ada' }]] as const;
const badSince = (): Refusal => refuseShape([{ path: 'since', message: 'must be today, 24h, 7d or an ISO 8601 time' }]);
const unknownSince = { title: 'an unknown time', input: { since: 'noon' }, refused: 'invalid_request' } as const;

const listActivity = command({
  name: 'list_activity',
  description: 'Events of all plans, runs, claims, sign-offs and tokens, newest first.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({
    since,
    by: z.string().optional().describe('An agent or a person'),
    plan: z.string().optional(),
    repository: z.string().optional(),
    kind: activityKind.optional().describe('Default: all except report'),
    ...paging,
  }),
  output: listOf(activityEntry),
  rest: { method: 'GET', path: '/api/activity' },
  examples: [
    { title: 'of today', given: held, input: {} },
    { title: 'what ada did in a week', given: held, input: { since: '7d', by: 'ada', limit: 10 } },
    unknownSince,
  ],
  async run(ctx, { since: text, limit, offset, cursor, ...filter }) {
    const from = sinceInstant(text, ctx.log.now());
    if (from === null) return badSince();
    const { plans } = ctx.workState;
    const names: FeedNames = {
      slugOf: (plan) => plans.find(plan)?.slug ?? plan,
      repositoryOf(plan, node) {
        const vertex = node === null ? undefined : plans.graph.find(nodeKey(plan, node));
        return vertex === undefined ? (plans.find(plan)?.repository ?? null) : repositoryOfNode(ctx.workState, vertex);
      },
    };
    const { kept } = await eventsSince(ctx.log, from, (event) => eventEntry(event, filter, names));
    const runs = (await ctx.runs.list()).runs.filter((run) => timeOfRun(run) >= from);
    return listPage(
      feedOf(kept, runs, filter),
      { limit, offset, cursor },
      (entry) => entry,
      ({ id }) => id,
    );
  },
});

const activityReport = command({
  name: 'activity_report',
  description: "The team's work since a time: done, claimed, stuck, withdrawn, cost, flaky tests, next up.",
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({
    since,
    by: reportGroup.default('agent'),
    lanes: z.boolean().optional().meta({ 'x-restOnly': true }).describe('Include who held what, and when'),
  }),
  output: report,
  rest: { method: 'GET', path: '/api/report' },
  examples: [
    { title: 'of today by agent', given: held, input: {} },
    { title: 'of a week by person', given: held, input: { since: '7d', by: 'person', lanes: true } },
    unknownSince,
  ],
  async run(ctx, { since: text, by, lanes: withLanes }): Promise<Report | Refusal> {
    await ctx.orderSettled();
    const from = sinceInstant(text, ctx.log.now());
    if (from === null) return badSince();
    const { kept: events, cut } = await eventsSince(ctx.log, from, eventOfDay);
    const start = cut ? (events[0]?.at ?? from) : from;
    const view = viewContextOf(ctx);
    const runs = (await ctx.runs.list()).runs.filter((run) => timeOfRun(run) >= start);
    const earlier = await earlierClaims(ctx, events, start);
    const { lanes, ...day } = dayOf({ since: start, now: view.now, by, events, runs, ...earlier, ...nowFacts(view) });
    const tests = await ctx.runs.testChanges(start);
    return {
      since: start,
      until: view.now,
      by,
      ...day,
      done: day.done.slice(0, mostListed),
      takenBack: day.takenBack.slice(0, mostListed),
      working: working(view),
      stuck: await stuck(ctx),
      tests: { flaky: tests.flaky.slice(0, mostListed), mended: tests.mended.slice(0, mostListed) },
      first: firstReady(view),
      ...(withLanes && { lanes }),
      cut,
    };
  },
});

const mostListed = 100;
/**
 * Claims and submissions at the start of the window. A node without an event in the window has its current ones; for
 * other nodes they are derived from the events.
 */
async function earlierClaims(
  { workState, log }: ActivityContext,
  events: readonly RecordedEvent[],
  from: string,
): Promise<Pick<DayFacts, 'heldBefore' | 'submittedBefore' | 'lastHolder'>> {
  const { claims } = workState;
  const heldBefore = new Map<NodeKey, EarlierClaim>();
  const submittedBefore = new Map<NodeKey, EarlierSubmission>();
  const first = new Map<NodeKey, RecordedEvent>();
  for (const event of events) {
    const key = isOfKind(event, 'claim') ? nodeKeyOf(event) : null;
    if (key !== null && !first.has(key)) first.set(key, event);
  }
  const note = (key: NodeKey, { lease, submission }: typeof unclaimed) => {
    if (lease && lease.claimedAt < from) heldBefore.set(key, lease);
    if (submission && submission.at < from) submittedBefore.set(key, submission);
  };
  for (const key of new Set([...claims.open(), ...claims.submitted()])) if (!first.has(key)) note(key, claims.of(key));
  for (const [key, event] of first) {
    const isNew = isStored(event, 'claim') && event.type === 'node_claimed' && !event.data.renewed;
    if (isNew) continue;
    const before = (await log.read(streams.claim(key))).filter(({ sequence }) => sequence < event.sequence);
    note(
      key,
      before.reduce((state, one) => (isStored(one, 'claim') ? evolve(state, one, one.at) : state), unclaimed),
    );
  }
  const lastHolder: DayFacts['lastHolder'] = (key) => {
    const { lease, last, lastToken } = claims.of(key);
    return lease ?? (last && { agent: last.agent, session: last.session, token: lastToken });
  };
  return { heldBefore, submittedBefore, lastHolder };
}

/** Proofs that a person gives. A node that nothing can prove waits for a person too. */
const personProofs: ReadonlySet<string> = new Set(['signOff', 'pullRequest', 'issue']);

function nowFacts(view: ViewContext): Pick<DayFacts, 'nodeOf' | 'usedNow'> {
  const { workState, now } = view;
  const { plans } = workState;
  return {
    nodeOf(key): NodeFacts | undefined {
      const vertex = plans.graph.find(key);
      const node = vertex === undefined ? undefined : plans.graph.nodes[vertex];
      if (vertex === undefined || !node) return undefined;
      const { title, binding } = node;
      const decidedByPerson = binding === null || personProofs.has(binding.kind);
      return { ref: plans.refOf(vertex), title, repository: repositoryOfNode(workState, vertex), decidedByPerson };
    },
    usedNow(key) {
      const vertex = plans.graph.find(key);
      const lease = vertex === undefined ? null : workState.liveLease(vertex, now);
      const tokens = vertex === undefined || !lease ? null : tokensUsedBy(view, vertex, lease);
      return tokens ? tokensIn(tokens) : 0;
    },
  };
}

function working(view: ViewContext): Report['working'] {
  const { plans } = view.workState;
  return liveClaims(view)
    .map(({ vertex, lease }) => ({
      ref: plans.refOf(vertex),
      title: plans.graph.nodes[vertex]?.title ?? '',
      agent: lease.agent,
      person: personOf(lease),
      since: lease.claimedAt,
      until: lease.expiresAt,
      health: linkOf(view, vertex, lease).health,
    }))
    .sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.ref < b.ref ? -1 : 1));
}

const needsShown = 10;

async function stuck(ctx: ActivityContext): Promise<Report['stuck']> {
  const [listNeeds] = needsCommands;
  const found = await listNeeds.run(ctx, {}, unknownCaller);
  if (isRefusal(found)) return { total: 0, first: [] };
  const first = found.needs
    .slice(0, needsShown)
    .map(({ kind, title, detail, ref, since: from }) => ({ kind, title, detail, ref, since: from }));
  return { total: found.needs.length, first };
}

const readyShown = 5;

/** The nodes that `claim_next` would hand out first. */
function firstReady(view: ViewContext): Report['first'] {
  const { workState, now } = view;
  const { plans, progress } = workState;
  return readyNodes(view, {})
    .filter((vertex) => !workState.liveLease(vertex, now) && parkedOf(view, vertex) === null)
    .slice(0, readyShown)
    .map((vertex) => {
      const leverage = progress.leverage.of(vertex);
      const { title = '', estimateMinutes = null } = plans.graph.nodes[vertex] ?? {};
      const why = [
        describeLeverage(leverage),
        ...(estimateMinutes === null ? [] : [`estimated ${estimateMinutes} min`]),
      ];
      return { ref: plans.refOf(vertex), title, why: why.join(', ') };
    });
}

export const activityCommands = [listActivity, activityReport] as const;
