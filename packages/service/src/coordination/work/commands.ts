import { z } from 'zod';
import { isLabelOf } from '../../kernel/access.ts';
import { commandFor } from '../../kernel/command.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { streams } from '../../kernel/streams.ts';
import { releaseNode, reportNode } from '../claims/decide.ts';
import { activeNode, activePlan, anyNode } from '../plans/find-plan.ts';
import { given, givenArchived } from '../plans/samples.ts';
import { rivalsFor } from './claimed-uses.ts';
import {
  claimAppend,
  claimantOf,
  claimStreamOf,
  decideClaim,
  factsOf,
  hostOf,
  isStillHeld,
  planStreamOf,
  recallClaim,
} from './claiming.ts';
import {
  agent,
  type ClaimNextAnswer,
  claimAnswer,
  claimLost,
  claimNextAnswer,
  error,
  fence,
  fullView,
  leaseMinutes,
  notBefore,
  note,
  outcome,
  progress,
  releaseAnswer,
  reportAnswer,
  result,
  session,
} from './contract.ts';
import { overlapsForHolder } from './overlap-board.ts';
import { nextReady } from './ready-commands.ts';
import { describePassedBy, nextNode, type PassedBy } from './ready-nodes.ts';
import { reset } from './reset-command.ts';
import { split } from './split-command.ts';
import { withdraw } from './submission-commands.ts';
import { viewInBrief } from './view-node.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();

const lexer = { plan: 'checkout-2', node: 'lexer' };
const ada = { ...lexer, agent: 'ada' };
const bob = { ...lexer, agent: 'bob' };
const held = [...given, ['claim_node', ada]] as const;
const nobody = { title: 'no agent', given, input: lexer, refused: 'agent_required' } as const;
const noPlan = { title: 'an unknown plan', input: { ...ada, plan: 'nowhere' }, refused: 'plan_not_found' } as const;
const nothing = { ...ada, node: 'nothing' };
const noNode = { title: 'an unknown node', given, input: nothing, refused: 'node_not_found' } as const;
const lost = { title: 'somebody else holds it', given: held, input: bob, refused: 'not_holder' } as const;
const stale = {
  title: 'a fence of an older claim',
  given: held,
  input: { ...ada, fence: 7 },
  refused: 'stale_fence',
} as const;
const at = { plan: z.string(), node: z.string() };
const path = '/api/plans/{plan}/nodes/{node}';

function nothingReady(why: string | undefined, passedBy: readonly PassedBy[]): ClaimNextAnswer {
  const [notBefore] = passedBy.flatMap(({ until }) => until ?? []).sort();
  const known = { ...(why !== undefined && { why }), ...(notBefore !== undefined && { notBefore }) };
  return { claimed: false, reason: 'nothing_ready', ...known };
}

const claimNext = command({
  name: 'claim_next',
  description: 'Claim the best ready node that nobody holds. unbound: true includes nodes without a binding.',
  effect: 'write',
  scope: 'work',
  gate: 'workLoop',
  input: z.strictObject({
    agent,
    leaseMinutes,
    session,
    plan: z.string().nullish(),
    repository: z.string().nullish(),
    label: z.string().nullish(),
    unbound: z.boolean().nullish(),
    view: fullView,
  }),
  output: claimNextAnswer,
  rest: { method: 'POST', path: '/api/plans/ready/claim' },
  replays: (ctx, answer) => isStillHeld(ctx, answer),
  recall(ctx, input, caller) {
    const ask = claimantOf(input, caller, ctx.sessions);
    const vertices = [...ctx.workState.claims.open()].map((key) => ctx.workState.plans.graph.find(key));
    return vertices.map((vertex) => recallClaim(ctx, ask, vertex)).findLast((answer) => answer !== undefined);
  },
  examples: [
    { title: 'the best ready node', given, input: { agent: 'ada' } },
    { title: 'nothing is ready', input: { agent: 'ada' } },
    { title: 'no agent', input: {}, refused: 'agent_required' },
    { title: 'an unknown plan', input: { agent: 'ada', plan: 'nowhere' }, refused: 'plan_not_found' },
  ],
  run(ctx, input, caller) {
    const ask = claimantOf(input, caller, ctx.sessions);
    return ctx.log.commit<ClaimNextAnswer>((now, isPending = () => false) => {
      const plan = typeof input.plan === 'string' ? activePlan(ctx.workState.plans, input.plan) : undefined;
      if (isRefusal(plan)) return plan;
      // If every free node has a pending write, one is chosen anyway, because that write may still fail.
      const view = { ...ctx, now };
      const host = hostOf(ctx, ask.session);
      const free = nextNode(view, input, (vertex) => isPending(claimStreamOf(ctx, vertex)), host);
      const { vertex, passedBy } = free.vertex === undefined ? nextNode(view, input, undefined, host) : free;
      const why = describePassedBy(ctx.workState, passedBy);
      if (vertex === undefined) return { append: [], remember: false, answer: () => nothingReady(why, passedBy) };
      const reads = rivalsFor(ctx, vertex).map((rival) => claimStreamOf(ctx, rival));
      return decideClaim(ctx, vertex, { ...ask, reads, ...(why !== undefined && { why }) }, now);
    });
  },
});

const claim = command({
  name: 'claim_node',
  description:
    'Claim a node for leaseMinutes; your own claim is renewed (from another session: with its fence). Pass the returned fence to report and release.',
  effect: 'write',
  scope: 'work',
  gate: 'workLoop',
  input: z.strictObject({ ...at, agent, leaseMinutes, session, fence, view: fullView }),
  output: claimAnswer,
  rest: {
    method: 'POST',
    path: `${path}/claim`,
    status: ({ claimed }) => (claimed ? 200 : 409),
    alternateResponse: { status: 409, output: claimLost },
  },
  replays: (ctx, answer) => isStillHeld(ctx, answer),
  recall: (ctx, input, caller) =>
    recallClaim(ctx, claimantOf(input, caller, ctx.sessions), ctx.workState.find(input.plan, input.node)),
  examples: [
    { title: 'a node', given, input: { ...ada, leaseMinutes: 60 } },
    { title: 'a node that is not ready', given, input: { ...ada, node: 'parser' } },
    { title: 'a node that somebody else holds', given: held, input: bob },
    nobody,
    noPlan,
    noNode,
    { title: 'an archived plan', given: givenArchived, input: ada, refused: 'plan_not_found' },
    { title: 'a lease of two days', given, input: { ...ada, leaseMinutes: 2880 }, refused: 'invalid_request' },
    {
      title: 'a node that is done',
      given: [
        ...given,
        ['bind_node', { ...lexer, binding: { kind: 'signOff' } }],
        ['sign_off_node', { ...lexer, by: 'eve' }],
      ],
      input: ada,
      refused: 'node_done',
    },
  ],
  run(ctx, input, caller) {
    const ask = claimantOf(input, caller, ctx.sessions);
    return ctx.log.commit((now) => {
      const vertex = activeNode(ctx.workState.plans, input.plan, input.node);
      return isRefusal(vertex) ? vertex : decideClaim(ctx, vertex, ask, now);
    });
  },
});

const report = command({
  name: 'report_node',
  description: 'Report progress on a node you hold and renew its lease. The next holder reads the note.',
  effect: 'write',
  scope: 'work',
  gate: 'workLoop',
  input: z.strictObject({ ...at, agent, note, progress, session, leaseMinutes, fence, view: fullView }),
  output: reportAnswer,
  rest: { method: 'POST', path: `${path}/report` },
  examples: [
    { title: 'a note', given: held, input: { ...ada, note: 'half way', progress: 0.5 } },
    { title: 'nobody holds it', given, input: { ...ada, note: 'half way' }, refused: 'not_holder' },
    lost,
    stale,
    nobody,
    noPlan,
    noNode,
  ],
  recall(ctx, input) {
    const now = ctx.log.now();
    const vertex = ctx.workState.find(input.plan, input.node);
    const lease = vertex === undefined ? null : ctx.workState.liveLease(vertex, now);
    if (vertex === undefined || lease?.agent !== input.agent) return undefined;
    const node = viewInBrief({ ...ctx, now }, vertex, input);
    return { reported: true as const, expiresAt: lease.expiresAt, node };
  },
  run(ctx, input, caller) {
    const ask = claimantOf(input, caller, ctx.sessions);
    return ctx.log.commit((now) => {
      const vertex = anyNode(ctx.workState.plans, input.plan, input.node);
      if (isRefusal(vertex)) return vertex;
      const events = reportNode(ask, factsOf(ctx, vertex, now));
      if (isRefusal(events)) return events;
      return {
        append: [claimAppend(ctx, vertex, events, input.agent)],
        reads: [planStreamOf(ctx, vertex)],
        answer: () => {
          const view = { ...ctx, now };
          const node = viewInBrief(view, vertex, input);
          const expiresAt = ctx.workState.liveLease(vertex, now)?.expiresAt ?? now;
          return { reported: true as const, expiresAt, node, ...overlapsForHolder(view, vertex) };
        },
      };
    });
  },
});

const release = command({
  name: 'release_node',
  description:
    'Release a node; outcome: submitted when your part is finished. The node is done only when its binding proves it.',
  effect: 'write',
  scope: 'work',
  repeatable: true,
  adminForOthers: true,
  gate: 'workLoop',
  input: z.strictObject({ ...at, agent, session, fence, outcome, note, result, notBefore, error, view: fullView }),
  output: releaseAnswer,
  rest: { method: 'POST', path: `${path}/release` },
  examples: [
    { title: 'a claim', given: held, input: ada },
    { title: 'a finished part', given: held, input: { ...ada, outcome: 'submitted', note: 'pushed, CI runs' } },
    { title: 'a failure', given: held, input: { ...ada, outcome: 'failed', note: 'the API is gone' } },
    { title: 'a result for dependents', given: held, input: { ...ada, outcome: 'submitted', result: { pages: 3 } } },
    { title: 'not before tomorrow', given: held, input: { ...ada, notBefore: '2100-01-01T09:00:00Z' } },
    { title: 'nothing is held', given, input: ada },
    {
      title: 'a result of a megabyte',
      given: held,
      input: { ...ada, result: 'x'.repeat(20_000) },
      refused: 'invalid_request',
    },
    lost,
    stale,
    nobody,
    noPlan,
    noNode,
  ],
  recall(ctx, input) {
    const vertex = ctx.workState.find(input.plan, input.node);
    if (vertex === undefined) return undefined;
    const { last } = ctx.workState.claims.of(ctx.workState.keyOf(vertex));
    const node = viewInBrief(viewContextOf(ctx), vertex, input);
    return { released: last?.how === 'released' && last.agent === input.agent, node };
  },
  run(ctx, input, caller) {
    const { token } = caller;
    const admin = caller.forOthers && token !== null && !isLabelOf(input.agent, token) ? token : null;
    const ask = { ...claimantOf(input, caller, ctx.sessions), forHolder: admin !== null };
    return ctx.log.commit((now) => {
      const vertex = anyNode(ctx.workState.plans, input.plan, input.node);
      if (isRefusal(vertex)) return vertex;
      const events = releaseNode(ask, factsOf(ctx, vertex, now));
      if (isRefusal(events)) return events;
      const released = events.length > 0;
      return {
        append: released ? [claimAppend(ctx, vertex, events, admin ?? input.agent)] : [],
        reads: [planStreamOf(ctx, vertex), streams.evidence(ctx.workState.keyOf(vertex))],
        answer: () => ({ released, node: viewInBrief({ ...ctx, now }, vertex, input) }),
      };
    });
  },
});

export const workLoop = [nextReady, claimNext, claim, report, release, split, withdraw, reset];
