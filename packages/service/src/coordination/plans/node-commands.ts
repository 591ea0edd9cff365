import { z } from 'zod';
import { type Caller, commandFor } from '../../kernel/command.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { binding } from './binding.ts';
import { commitAuthored, currentNodeView, type PlansContext } from './context.ts';
import { ignored, nodeMembers } from './contract.ts';
import {
  type AuthoredChange,
  addDependency,
  addNode,
  bindNode,
  checkBindingOfHolder,
  type Held,
  removeDependency,
  removeNode,
  updateNode,
} from './decide.ts';
import { writableNode } from './find-plan.ts';
import { nodeFromRead } from './from-read.ts';
import { keyOf } from './key.ts';
import { by, nodeId, nodeRef } from './names.ts';
import { nodeView } from './node-view.ts';
import type { HolderRequest } from './ports.ts';
import { given, givenArchived } from './samples.ts';

const command = commandFor<PlansContext>();

/** The holder of a node may change some of it without the author scope. */
const holder = {
  agent: z.string().min(1).max(200).optional(),
  session: z.string().min(1).max(200).optional().meta({ 'x-restOnly': true }),
  fence: z.int().optional(),
};

const author = ({ by: given, agent }: { by?: string | undefined; agent?: string | null | undefined }) => ({
  by: given ?? agent ?? undefined,
});

/** `held` if the caller holds the node; other callers need the `author` scope. */
function asHolder(
  { views }: PlansContext,
  input: { plan: string; node: string } & HolderRequest,
  caller: Caller,
  what: string,
): Held | Refusal {
  const refused = views.checkHolder(input.plan, input.node, input, caller);
  if (!refused) return { held: true };
  const { plan, node, fence } = input;
  if (refused.code === 'stale_fence' || (fence !== undefined && fence !== null)) return refused;
  if (caller.mayAuthor) return {};
  const detail = `${what} needs the author scope, or the claim of ${plan}/${node}: ${refused.detail}`;
  return refuse('scope_required', detail, { scope: 'author' });
}

const nodePath = { plan: z.string(), node: z.string() };
const parser = { plan: 'checkout-2', node: 'parser' };
/** The permissions of a holder depend on its claim. */
function onClaim(
  { views }: PlansContext,
  { plan, node }: { plan: string; node: string },
  { held }: Held,
  authored: AuthoredChange | Refusal,
): AuthoredChange | Refusal {
  return isRefusal(authored) || !held ? authored : { ...authored, reads: [views.claimStream(plan, node)] };
}

const unknownPlanExample = { title: 'an unknown plan', input: { plan: 'nowhere', node: 'parser' } };
const unknownNodeExample = { title: 'an unknown node', given, input: { plan: 'checkout-2', node: 'nothing' } };
const archivedExample = { title: 'an archived plan', given: givenArchived };

const add = command({
  name: 'add_node',
  description: 'Adds a node to a plan.',
  effect: 'write',
  scope: 'author',
  gate: 'record',
  input: z.strictObject({ plan: z.string(), id: nodeId, ...nodeMembers, by }),
  output: nodeView,
  rest: { method: 'POST', path: '/api/plans/{plan}/nodes', query: ['by'], status: 201 },
  examples: [
    { title: 'a node', given, input: { plan: 'checkout-2', id: 'totals', dependsOn: ['parser', 'platform/sdk'] } },
    { title: 'a node that exists', given, input: { plan: 'checkout-2', id: 'PARSER' }, refused: 'node_exists' },
    { title: 'no id', given, input: { plan: 'checkout-2' }, refused: 'invalid_request' },
    {
      title: 'a dependency that does not exist',
      given,
      input: { plan: 'checkout-2', id: 'a', dependsOn: ['b'] },
      refused: 'invalid_request',
    },
    {
      title: 'a node that waits for itself',
      given,
      input: { plan: 'checkout-2', id: 'a', dependsOn: ['a'] },
      refused: 'self_dependency',
    },
    { title: 'an unknown plan', input: { plan: 'nowhere', id: 'a' }, refused: 'plan_not_found' },
    { ...archivedExample, input: { plan: 'checkout-2', id: 'a' }, refused: 'plan_archived' },
  ],
  recall: (ctx, { plan, id }) => currentNodeView(ctx, plan, id),
  run(ctx, input) {
    const { plan, by, ...node } = input;
    return commitAuthored(
      ctx,
      { by },
      () => addNode(ctx.plans, plan, node),
      () => ctx.views.node(plan, node.id),
    );
  },
});

const update = command({
  name: 'update_node',
  description: 'Changes the given members of a node; null clears one.',
  effect: 'write',
  scope: 'author',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({ ...nodePath, id: nodeId.optional(), ...nodeMembers, by }),
  fromRead: nodeFromRead,
  output: nodeView.extend({ ignored }),
  rest: { method: 'PUT', path: '/api/plans/{plan}/nodes/{node}', query: ['by'] },
  examples: [
    { title: 'a new title', given, input: { ...parser, title: 'Parse prices' } },
    { title: 'a binding taken away', given, input: { ...parser, binding: null } },
    { title: 'another id', given, input: { ...parser, id: 'other' }, refused: 'invalid_request' },
    { title: 'a cycle', given, input: { plan: 'checkout-2', node: 'lexer', dependsOn: ['parser'] }, refused: 'cycle' },
    { ...unknownPlanExample, refused: 'plan_not_found' },
    { ...unknownNodeExample, refused: 'node_not_found' },
    { ...archivedExample, input: { ...parser, title: 'x' }, refused: 'plan_archived' },
  ],
  recall: (ctx, { plan, node }) => currentNodeView(ctx, plan, node),
  run(ctx, input): Refusal | Promise<Refusal | z.output<typeof nodeView>> {
    const { plan, node, id, by, ...changes } = input;
    if (id !== undefined && keyOf(id) !== keyOf(node)) {
      return refuseShape([{ path: 'id', message: `is ${id}, but the path names ${node}; ids cannot be changed` }]);
    }
    return commitAuthored(
      ctx,
      { by },
      () => updateNode(ctx.plans, plan, node, changes),
      () => ctx.views.node(plan, node),
    );
  },
});

const remove = command({
  name: 'remove_node',
  description: 'Removes a node; force: even if others depend on it or it is claimed.',
  effect: 'write',
  scope: 'author',
  destructive: true,
  gate: 'record',
  input: z.strictObject({ ...nodePath, force: z.boolean().optional(), by }),
  output: z.object({}),
  rest: { method: 'DELETE', path: '/api/plans/{plan}/nodes/{node}', query: ['by', 'force'], status: 204 },
  examples: [
    { title: 'a node', given, input: parser },
    { title: 'by force', given, input: { plan: 'checkout-2', node: 'lexer', force: true } },
    {
      title: 'other nodes depend on it',
      given,
      input: { plan: 'checkout-2', node: 'lexer' },
      refused: 'node_has_dependents',
    },
    {
      title: 'somebody holds it',
      given: [...given, ['claim_node', { ...parser, agent: 'ada' }]],
      input: parser,
      refused: 'node_claimed',
    },
    { ...unknownPlanExample, refused: 'plan_not_found' },
    { ...unknownNodeExample, refused: 'node_not_found' },
  ],
  recall: () => ({}),
  run(ctx, input) {
    const { plan, node, force = false } = input;
    return commitAuthored(
      ctx,
      input,
      (now) => {
        const claim = ctx.views.liveClaim(plan, node, now);
        return removeNode(ctx.plans, plan, node, { force, claim, claimStream: ctx.views.claimStream(plan, node) });
      },
      () => ({}),
    );
  },
});

const addEdge = command({
  name: 'add_dependency',
  description: 'Makes a node depend on another, of any plan.',
  effect: 'write',
  // The holder may call it too; see `asHolder`.
  scope: 'work',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({ ...nodePath, dependsOn: nodeRef, ...holder, by }),
  output: nodeView,
  rest: { method: 'POST', path: '/api/plans/{plan}/nodes/{node}/depends-on', query: ['by', 'dependsOn'] },
  examples: [
    { title: 'a node of another plan that does not exist yet', given, input: { ...parser, dependsOn: 'platform/sdk' } },
    { title: 'a dependency that already exists', given, input: { ...parser, dependsOn: 'checkout-2/lexer' } },
    { title: 'itself', given, input: { ...parser, dependsOn: 'parser' }, refused: 'self_dependency' },
    { title: 'a cycle', given, input: { plan: 'checkout-2', node: 'lexer', dependsOn: 'parser' }, refused: 'cycle' },
    { title: 'nothing', given, input: parser, refused: 'invalid_request' },
    { ...unknownPlanExample, input: { ...unknownPlanExample.input, dependsOn: 'a' }, refused: 'plan_not_found' },
  ],
  recall: (ctx, { plan, node }) => currentNodeView(ctx, plan, node),
  run(ctx, input, caller) {
    const { plan, node, dependsOn } = input;
    return commitAuthored(
      ctx,
      author(input),
      () => {
        const found = writableNode(ctx.plans, plan, node);
        if (isRefusal(found)) return found;
        const held = asHolder(ctx, input, caller, 'add_dependency');
        return isRefusal(held)
          ? held
          : onClaim(ctx, input, held, addDependency(ctx.plans, plan, node, dependsOn, held));
      },
      () => ctx.views.node(plan, node),
    );
  },
});

const removeEdge = command({
  name: 'remove_dependency',
  description: 'Removes a dependency of a node.',
  effect: 'write',
  scope: 'author',
  destructive: true,
  gate: 'record',
  input: z.strictObject({ ...nodePath, dependsOn: nodeRef, by }),
  output: nodeView,
  rest: { method: 'DELETE', path: '/api/plans/{plan}/nodes/{node}/depends-on', query: ['by', 'dependsOn'] },
  examples: [
    { title: 'a dependency', given, input: { ...parser, dependsOn: 'lexer' } },
    { title: 'a dependency that does not exist', given, input: { ...parser, dependsOn: 'platform/sdk' } },
    { ...unknownNodeExample, input: { ...unknownNodeExample.input, dependsOn: 'lexer' }, refused: 'node_not_found' },
  ],
  recall: (ctx, { plan, node }) => currentNodeView(ctx, plan, node),
  run(ctx, input) {
    const { plan, node, dependsOn } = input;
    return commitAuthored(
      ctx,
      input,
      () => removeDependency(ctx.plans, plan, node, dependsOn),
      () => ctx.views.node(plan, node),
    );
  },
});

const bind = command({
  name: 'bind_node',
  description: 'Sets what proves a node done; null removes it.',
  effect: 'write',
  // The holder may call it too; see `asHolder`.
  scope: 'work',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({ ...nodePath, binding: binding.nullable(), ...holder, by }),
  output: nodeView,
  rest: {
    method: 'POST',
    path: '/api/plans/{plan}/nodes/{node}/bind',
    query: ['by', 'agent', 'session', 'fence'],
    body: 'binding',
  },
  examples: [
    { title: 'an issue', given, input: { ...parser, binding: { kind: 'issue', issue: 'acme/shop#12' } } },
    { title: 'a suite that is tagged with the node', given, input: { ...parser, binding: { kind: 'suite' } } },
    { title: 'nothing', given, input: { ...parser, binding: null } },
    { title: 'an unknown kind', given, input: { ...parser, binding: { kind: 'wish' } }, refused: 'invalid_request' },
    { ...unknownNodeExample, input: { ...unknownNodeExample.input, binding: null }, refused: 'node_not_found' },
  ],
  recall: (ctx, { plan, node }) => currentNodeView(ctx, plan, node),
  run(ctx, input, caller) {
    const { plan, node, binding: bound } = input;
    return commitAuthored(
      ctx,
      author(input),
      () => {
        const found = writableNode(ctx.plans, plan, node);
        if (isRefusal(found)) return found;
        const held = asHolder(ctx, input, caller, 'bind_node');
        if (isRefusal(held)) return held;
        const refused = caller.mayAuthor ? undefined : checkBindingOfHolder(found, bound);
        return refused ?? onClaim(ctx, input, held, bindNode(ctx.plans, plan, node, bound, held));
      },
      () => ctx.views.node(plan, node),
    );
  },
});

export const nodeAuthoring = [add, update, remove, addEdge, removeEdge, bind];
