import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { streams } from '../../kernel/streams.ts';
import type { AccessContext } from '../access/commands.ts';
import type { TokenEvent } from '../access/events.ts';
import type { AgentsContext } from '../agents/commands.ts';
import type { HostsContext } from '../hosts/commands.ts';
import type { ReplacedHistory } from '../hosts/contract.ts';
import { given } from '../plans/samples.ts';
import type { RunsContext } from '../runs/commands.ts';
import type { TreesContext } from '../trees/commands.ts';
import type { ViewContext } from '../work/claim-session.ts';
import { heldClaims } from '../work/held-claims.ts';
import { isPlanOverBudget, parkedOf } from '../work/parked.ts';
import { countStatuses, summarise, verticesOf } from '../work/summary.ts';
import { viewNode } from '../work/view-node.ts';
import { viewContextOf, type WorkContext } from '../work/work-context.ts';
import { type HeldNode, needs } from './contract.ts';
import { forPerson, type LeftClaim, needsOf, type UnsignedNode } from './decide.ts';

export type NeedsContext = WorkContext &
  AgentsContext &
  TreesContext &
  RunsContext &
  HostsContext &
  Pick<AccessContext, 'tokens' | 'hostName'> & { replacedHistory?: () => ReplacedHistory | null };

/** Whether the node is parked for its own reason; a parked plan is a single need for all its nodes. */
const isParkedAlone = (view: ViewContext, vertex: number): boolean => {
  const plan = view.workState.plans.graph.plans[vertex];
  const parked = parkedOf(view, vertex);
  return parked === 'attempts' || (parked === 'budget' && !(plan && isPlanOverBudget(view, plan)));
};

const command = commandFor<NeedsContext>();

const held = [...given, ['claim_node', { plan: 'checkout-2', node: 'lexer', agent: 'ada' }]] as const;

const listNeeds = command({
  name: 'list_needs',
  description: 'What needs a person now, most urgent first, and counts of everything else.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({
    for: z.string().nullish().describe("The person whose needs and claims come first (default: the token's name)"),
  }),
  output: needs,
  rest: { method: 'GET', path: '/api/needs' },
  examples: [
    { title: 'everything', input: {} },
    { title: 'first what concerns ada, and what ada holds', given: held, input: { for: 'ada' } },
  ],
  async run(ctx, { for: named }, caller) {
    const { workState, agents, runs } = ctx;
    const view = viewContextOf(ctx);
    const active = [...workState.plans.all()].filter(({ archivedAt }) => archivedAt === null);
    const vertices = active.flatMap((plan) => verticesOf(workState, plan));
    const failed = vertices.filter((vertex) => workState.status(vertex, view.now) === 'failed');
    const submitted = vertices.filter((vertex) => workState.submissionOf(vertex, view.now));
    const parked = vertices.filter((vertex) => isParkedAlone(view, vertex));
    const overBudget = active.filter((plan) => isPlanOverBudget(view, plan));
    const listed = await runs.list();
    const found = needsOf({
      board: agents.all('7d'),
      failed: failed.map((vertex) => viewNode(view, vertex)),
      parked: parked.map((vertex) => viewNode(view, vertex)),
      overBudget: overBudget.map((plan) => summarise(view, plan)),
      submitted: submitted.map((vertex) => viewNode(view, vertex)),
      overlaps: ctx.overlapBoard.list({}),
      now: view.now,
      runs: listed.runs,
      consoleTrouble: listed.trouble ?? null,
      ready: countStatuses(workState, vertices, view.now).ready,
      claimed: vertices.filter((vertex) => workState.liveLease(vertex, view.now)).length,
      unsigned: vertices.flatMap((vertex) => unsignedNodes(view, vertex)),
      leavers: claimsOfLeavers(ctx, view.now),
      hosts: ctx.hosts(),
      here: ctx.hostName,
      replaced: ctx.replacedHistory?.() ?? null,
    });
    const name = named ?? caller.token;
    return name ? forPerson(found, name, claimsOf(ctx, name, view.now)) : found;
  },
});

/** Includes only nodes for which a person is named, or that somebody has worked on; the others are work for agents. */
function unsignedNodes(view: ViewContext, vertex: number): UnsignedNode[] {
  const { plans } = view.workState;
  const { binding, title = '' } = plans.graph.nodes[vertex] ?? {};
  if (binding?.kind !== 'signOff' || view.workState.status(vertex, view.now) !== 'ready') return [];
  // Resetting it is a decision to let agents work on it again.
  if (isParkedAlone(view, vertex)) return [];
  const { last } = view.workState.claims.of(view.workState.keyOf(vertex));
  const workedOn = last ? { agent: last.agent, at: last.endedAt } : null;
  if (!workedOn && binding.who === undefined) return [];
  return [{ ref: plans.refOf(vertex), title, who: binding.who ?? null, workedOn }];
}

/** Live claims of tokens that are no longer valid, by the token's name. */
function claimsOfLeavers({ workState, tokens }: Pick<NeedsContext, 'workState' | 'tokens'>, now: string): LeftClaim[] {
  return heldClaims(workState, now).flatMap(({ ref, agent, token, expiresAt }) => {
    const end = tokens.endOf(token, now);
    return end ? [{ ref, agent, token, endedAt: end.at, how: end.how, expiresAt }] : [];
  });
}

/** The live claims of `name`; the one that ends first comes first. */
const claimsOf = ({ workState }: NeedsContext, name: string, now: string): HeldNode[] =>
  heldClaims(workState, now)
    .filter(({ agent }) => agent.toLowerCase() === name.toLowerCase())
    .map(({ ref, title, expiresAt }) => ({ ref, title, expiresAt }))
    .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1));

const acceptHistory = command({
  name: 'accept_history',
  description:
    'Ends the need history_replaced on all hosts: the restore was intended, and the missing events are given up.',
  effect: 'write',
  repeatable: true,
  scope: 'admin',
  gate: 'never',
  mcp: false,
  input: z.strictObject({ by: z.string().min(1).max(200).optional() }),
  output: z.object({ accepted: z.boolean().describe('False if nothing was missing') }),
  rest: { method: 'POST', path: '/api/needs/accept-history' },
  examples: [{ title: 'nothing is missing', input: {} }],
  recall: () => ({ accepted: true }),
  run: ({ log, replacedHistory }, { by = 'operator' }) =>
    log.commit<{ accepted: boolean }>(() => {
      const accepted = (replacedHistory?.() ?? null) !== null;
      const event = { type: 'history_accepted', by, data: {} } satisfies TokenEvent & { by: string };
      return { append: accepted ? [{ stream: streams.logins, events: [event] }] : [], answer: () => ({ accepted }) };
    }),
});

export const needsCommands = [listNeeds, acceptHistory] as const;
