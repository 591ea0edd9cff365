import type { DispatchContext } from '../../kernel/dispatch.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { type AuthoredChange, appendsOf } from './decide.ts';
import { keyOf } from './key.ts';
import { actor } from './names.ts';
import type { NodeView } from './node-view.ts';
import type { PlanProjection } from './plan-projection.ts';
import type { PlanFiles, PlanTexts, PlanViews } from './ports.ts';

export type PlansContext = DispatchContext & {
  log: EventLog;
  plans: PlanProjection;
  views: PlanViews;
  /** Undefined if `Service:PlansPath` is not set. */
  files?: PlanFiles | undefined;
  /** Reads long texts without blocking. */
  texts?: PlanTexts | undefined;
};

/** The current view of a node, if it still exists. */
export function currentNodeView({ plans, views }: PlansContext, plan: string, node: string): NodeView | undefined {
  return plans.find(plan)?.nodes.has(keyOf(node)) ? views.node(plan, node) : undefined;
}

/** Decides on the plans including pending writes, writes the events, and answers from the folded state. */
export function commitAuthored<Answer>(
  { log }: PlansContext,
  input: { by?: string | undefined },
  decide: (now: string) => AuthoredChange | Refusal,
  answer: (slug: string) => Answer,
): Promise<Answer | Refusal> {
  return log.commit((now) => {
    const authored = decide(now);
    if (isRefusal(authored)) return authored;
    const { slug, reads = [] } = authored;
    return { append: appendsOf(authored, actor(input)), reads, answer: () => answer(slug) };
  });
}
