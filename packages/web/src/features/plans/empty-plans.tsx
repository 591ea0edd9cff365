import { ListTodo } from 'lucide-react';
import type { PlanSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** A card for each plan that has no nodes to draw yet. */
export function EmptyPlans({ plans }: { plans: readonly PlanSummary[] }) {
  const empty = plans.filter(({ nodes }) => nodes === 0);
  if (empty.length === 0) return null;
  return (
    <section
      aria-label="Plans without nodes"
      className="shrink-0 overflow-x-auto border-line border-b bg-surface px-page py-2"
    >
      <ul className="flex gap-2">
        {empty.map(({ slug, title }) => (
          <li key={slug} className="panel flex w-[300px] shrink-0 flex-col items-start gap-2 bg-raised px-3.5 py-3">
            <h2 dir="auto" className="max-w-full truncate font-semibold text-heading">
              {title}
            </h2>
            <p className="text-fg-2">
              No nodes yet. Add the first one, paste a list of titles, or write the plan as a document.
            </p>
            <ButtonLink icon={ListTodo} href={paths.plan(slug)}>
              Open {slug} to add nodes
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
