import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { isRefusal, refuse } from '../../kernel/outcome.ts';
import { streams } from '../../kernel/streams.ts';
import { evidenceAppend, signOffNode } from '../evidence/decide.ts';
import { anyNode, unknownPlan, writableNode } from '../plans/find-plan.ts';
import { by } from '../plans/names.ts';
import { nodeView } from '../plans/node-view.ts';
import { given, givenArchived } from '../plans/samples.ts';
import { claimantOf, claimStreamOf } from './claiming.ts';
import { type PlanStatus, planStatus, planStatusBrief } from './contract.ts';
import { describeHistory, historyEntry, historyKinds } from './history.ts';
import { spentOnPlan } from './parked.ts';
import { readyNodes } from './ready-nodes.ts';
import { countStatuses, verticesOf } from './summary.ts';
import { viewNode } from './view-node.ts';
import { currentNodeView, viewContextOf, type WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();

const lexer = { plan: 'checkout-2', node: 'lexer' };
const awaiting = [...given, ['bind_node', { ...lexer, binding: { kind: 'signOff', who: 'eve' } }]] as const;

const briefStatus = ({ slug, title, counts, nodes, ready }: PlanStatus): z.output<typeof planStatusBrief> => ({
  slug,
  title,
  counts,
  nodes: nodes.map(({ id, title, status, claimedBy, why }) => ({
    id,
    ...(title !== id && { title }),
    status,
    ...(claimedBy !== null && { claimedBy }),
    why,
  })),
  ready,
});

const status = command({
  name: 'plan_status',
  description: 'The state of each node of a plan, why, and which are ready.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ plan: z.string(), ...paging }),
  output: planStatus,
  brief: { output: planStatusBrief, of: briefStatus },
  pages: 'nodes',
  rest: { method: 'GET', path: '/api/plans/{plan}/status', query: ['limit', 'offset'] },
  examples: [
    { title: 'a plan', given, input: { plan: 'checkout-2' } },
    { title: 'an archived plan can still be read', given: givenArchived, input: { plan: 'checkout-2' } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'plan_not_found' },
  ],
  run(ctx, { plan: slug, limit, offset = 0 }) {
    const { workState } = ctx;
    const plan = workState.plans.find(slug);
    if (!plan) return unknownPlan(slug);
    const view = viewContextOf(ctx);
    const vertices = verticesOf(workState, plan);
    const page = vertices.slice(offset, limit === undefined ? undefined : offset + limit);
    workState.progress.leverage.prepare(page);
    return {
      slug: plan.slug,
      title: plan.title,
      counts: countStatuses(workState, vertices, view.now),
      budget: plan.budget,
      spent: spentOnPlan(view, plan),
      nodes: page.map((vertex) => viewNode(view, vertex)),
      ready: readyNodes(view, { plan: slug }).map((vertex) => workState.plans.graph.nodes[vertex]?.id ?? ''),
    };
  },
});

const nodeStatus = command({
  name: 'node_status',
  description: 'Everything known about one node: status and why, proof, claim and its health, dependencies.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ plan: z.string(), node: z.string() }),
  output: nodeView,
  rest: { method: 'GET', path: '/api/plans/{plan}/nodes/{node}' },
  examples: [
    { title: 'a node', given, input: lexer },
    { title: 'a node of an archived plan', given: givenArchived, input: lexer },
    { title: 'an unknown plan', input: lexer, refused: 'plan_not_found' },
    { title: 'an unknown node', given, input: { ...lexer, node: 'nothing' }, refused: 'node_not_found' },
  ],
  run(ctx, { plan, node }) {
    const vertex = anyNode(ctx.workState.plans, plan, node);
    return isRefusal(vertex) ? vertex : viewNode(viewContextOf(ctx), vertex);
  },
});

const signOff = command({
  name: 'sign_off_node',
  description: 'A person signs off a node bound to signOff, refuses to (refuse, with a note), or revokes the sign-off.',
  effect: 'write',
  scope: 'author',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({
    plan: z.string(),
    node: z.string(),
    note: z.string().max(20_000).nullish(),
    revoke: z.boolean().nullish(),
    refuse: z.boolean().nullish(),
    by,
  }),
  output: nodeView,
  rest: { method: 'POST', path: '/api/plans/{plan}/nodes/{node}/sign-off', query: ['by'] },
  examples: [
    { title: 'by the person who was asked', given: awaiting, input: { ...lexer, by: 'eve', note: 'reads well' } },
    { title: 'refused', given: awaiting, input: { ...lexer, by: 'eve', refuse: true, note: 'too slow' } },
    { title: 'by somebody else', given: awaiting, input: { ...lexer, by: 'mallory' }, refused: 'invalid_request' },
    { title: 'a node with another binding', given, input: { ...lexer, by: 'eve' }, refused: 'invalid_request' },
    {
      title: 'by the person who did the work',
      given: [...awaiting, ['claim_node', { ...lexer, agent: 'eve' }]],
      input: { ...lexer, by: 'eve' },
      refused: 'self_sign_off',
    },
    { title: 'by nobody', given: awaiting, input: lexer, refused: 'signer_required' },
    { title: 'an unknown plan', input: { ...lexer, by: 'eve' }, refused: 'plan_not_found' },
    {
      title: 'an unknown node',
      given,
      input: { ...lexer, node: 'nothing', by: 'eve' },
      refused: 'node_not_found',
    },
    { title: 'an archived plan', given: givenArchived, input: { ...lexer, by: 'eve' }, refused: 'plan_archived' },
  ],
  recall: (ctx, { plan, node }) => currentNodeView(ctx, plan, node),
  run(ctx, input, caller) {
    const { workState } = ctx;
    if (input.by === undefined)
      return refuse('signer_required', 'The signer is missing: pass your name as `by`, or call with a named token.');
    const signer = { by: input.by, session: claimantOf({}, caller, ctx.sessions).session, token: caller.token };
    return ctx.log.commit(() => {
      const found = writableNode(workState.plans, input.plan, input.node);
      if (isRefusal(found)) return found;
      const { plan, node } = found;
      const vertex = workState.plans.vertex(plan.slug, node.id);
      const ref = { plan: plan.slug, node: node.id };
      const workers = workState.claims.workersOf(workState.keyOf(vertex));
      const evidence = workState.evidence.of(workState.keyOf(vertex));
      const event = signOffNode({ ref, binding: node.binding, evidence, workers }, { ...input, ...signer });
      if (isRefusal(event)) return event;
      return {
        append: event ? [evidenceAppend(ref, event, signer.by)] : [],
        reads: [streams.plan(plan.slug), claimStreamOf(ctx, vertex)],
        answer: () => viewNode(viewContextOf(ctx), vertex),
      };
    });
  },
});

const planHistory = command({
  name: 'plan_history',
  description: 'Everything that happened to a plan, oldest first: who, when, and one sentence each.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({
    plan: z.string(),
    after: z.int().min(0).optional().describe('After this sequence'),
    only: z.enum(historyKinds).optional(),
    ...paging,
  }),
  output: listOf(historyEntry),
  rest: { method: 'GET', path: '/api/plans/{plan}/history', query: ['after', 'only', 'limit', 'offset', 'cursor'] },
  examples: [
    { title: 'the whole story', given, input: { plan: 'checkout-2' } },
    { title: 'only claims, of which there are none', given, input: { plan: 'checkout-2', only: 'claims' } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'no_history' },
  ],
  async run({ log }, input) {
    const events = await log.readTopic(streams.plan(input.plan));
    const history = describeHistory(events);
    if (history.length === 0 && events.some(({ type }) => type === 'plan_moved'))
      return refuse(
        'no_history',
        `The plan ${input.plan} was archived long ago and moved out of the log (Service:ArchiveDays). "signalbox plans show ${input.plan} --archived" shows it on the machine of the service.`,
      );
    if (history.length === 0)
      return refuse('no_history', `Unknown plan ${input.plan}. List the plans to see their slugs.`);
    const { only, after = 0 } = input;
    const wanted = history.filter(({ kind, entry }) => entry.sequence > after && (!only || kind === only));
    return listPage(
      wanted,
      input,
      ({ entry }) => entry,
      ({ entry }) => String(entry.sequence),
    );
  },
});

export const statusCommands = [planHistory, status, nodeStatus, signOff];
