import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { ours } from '../../kernel/schema-marks.ts';
import { defaultWaitSeconds, timeoutSeconds } from '../../kernel/shape.ts';
import { anyNode } from '../plans/find-plan.ts';
import { given } from '../plans/samples.ts';
import { briefOrFull, fullView } from './contract.ts';
import { viewInBrief, waitingFor } from './view-node.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();

const at = { plan: z.string(), node: z.string() };
const lexer = { plan: 'checkout-2', node: 'lexer' };
const parser = { plan: 'checkout-2', node: 'parser' };
const refusals = [
  { title: 'an unknown plan', input: lexer, refused: 'plan_not_found' },
  { title: 'an unknown node', given, input: { ...lexer, node: 'nothing' }, refused: 'node_not_found' },
  { title: 'longer than a client waits', given, input: { ...lexer, timeoutSeconds: 51 }, refused: 'invalid_request' },
] as const;

const awaitDependencies = command({
  name: 'await_dependencies',
  description: 'Wait until everything a node depends on is done, up to timeoutSeconds (40, at most 50).',
  effect: 'read',
  scope: 'read',
  waits: true,
  gate: 'workLoop',
  input: z.strictObject({ ...at, timeoutSeconds }),
  output: z.object({
    outcome: z.enum(['ready', 'timeout']),
    waitingFor: z.array(ours(z.string())),
    waitedSeconds: z.number(),
  }),
  examples: [
    { title: 'nothing to wait for', given, input: lexer },
    { title: 'a short wait', given, input: { ...parser, timeoutSeconds: 0 } },
    ...refusals,
  ],
  async run(ctx, { plan, node, timeoutSeconds: most }) {
    const open = (): number[] | Refusal => {
      const vertex = anyNode(ctx.workState.plans, plan, node);
      return isRefusal(vertex) ? vertex : waitingFor(ctx.workState, vertex);
    };
    const isOver = () => {
      const now = open();
      return isRefusal(now) || now.length === 0 ? now : undefined;
    };
    const { found, waitedSeconds } = await waitUntil(ctx, most ?? defaultWaitSeconds, isOver);
    const left = found ?? open();
    if (isRefusal(left)) return left;
    const refs = left.map((vertex) => ctx.workState.plans.refOf(vertex));
    return { outcome: refs.length === 0 ? ('ready' as const) : ('timeout' as const), waitingFor: refs, waitedSeconds };
  },
});

const awaitNode = command({
  name: 'await_node',
  description: 'Wait until a node is done (until: "unclaimed": until free), up to timeoutSeconds (40, at most 50).',
  effect: 'read',
  scope: 'read',
  waits: true,
  gate: 'workLoop',
  input: z.strictObject({ ...at, until: z.enum(['done', 'unclaimed']).nullish(), timeoutSeconds, view: fullView }),
  output: z.object({ outcome: z.enum(['done', 'unclaimed', 'timeout']), node: briefOrFull, waitedSeconds: z.number() }),
  examples: [
    { title: 'nobody holds it', given, input: { ...lexer, until: 'unclaimed' } },
    { title: 'a short wait', given, input: { ...lexer, timeoutSeconds: 0 } },
    ...refusals,
  ],
  async run(ctx, { plan, node, until: wanted, timeoutSeconds: most, view }) {
    const until = wanted ?? 'done';
    const check = () => {
      const vertex = anyNode(ctx.workState.plans, plan, node);
      if (isRefusal(vertex)) return vertex;
      const { workState, log } = ctx;
      const isSo = until === 'done' ? workState.progress.isDone(vertex) : !workState.liveLease(vertex, log.now());
      return isSo ? until : undefined;
    };
    const { found, waitedSeconds } = await waitUntil(ctx, most ?? defaultWaitSeconds, check);
    const vertex = anyNode(ctx.workState.plans, plan, node);
    if (isRefusal(found)) return found;
    if (isRefusal(vertex)) return vertex;
    return {
      outcome: found ?? ('timeout' as const),
      node: viewInBrief(viewContextOf(ctx), vertex, { view }),
      waitedSeconds,
    };
  },
});

export const awaitCommands = [awaitDependencies, awaitNode];

/** Checks again after each change of the log until something is found or the timeout ends. It does not poll in between. */
export function waitUntil<Found>(
  { log, clock }: WorkContext,
  timeoutSeconds: number,
  check: () => Found | undefined,
): Promise<{ found: Found | undefined; waitedSeconds: number }> {
  const began = clock.monotonic();
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    const settle = (found: Found | undefined) => {
      for (const stop of stops) stop();
      resolve({ found, waitedSeconds: Math.round((clock.monotonic() - began) / 100) / 10 });
    };
    const checkNow = () => {
      try {
        const found = check();
        if (found !== undefined) settle(found);
        return found !== undefined;
      } catch (error) {
        for (const stop of stops) stop();
        reject(error);
        return true;
      }
    };
    if (checkNow()) return;
    if (timeoutSeconds <= 0) {
      settle(undefined);
      return;
    }
    stops.push(log.onCommitted(checkNow), log.onReplaced(checkNow));
    stops.push(clock.every(timeoutSeconds * 1000, () => settle(check())));
  });
}
