import { GitBranch } from 'lucide-react';
import { Link } from 'wouter';
import type { PlanSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances, StateChip } from '../../ui/appearance.tsx';
import { Chip } from '../../ui/page.tsx';
import { StateBar } from '../../ui/state-bar.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import type { Attention } from './attention.ts';
import { Sparkline } from './burn-up-chart.tsx';
import type { BurnUpLevel } from './time/burn-up-levels.ts';

/** The states of a plan's nodes; every node is in exactly one. A claim in trouble may be on a node that has failed since. */
export function planStateCounts({ counts }: Pick<PlanSummary, 'counts'>, attention: Attention) {
  const orphaned = Math.min(attention.orphaned, counts.claimed);
  const stalled = Math.min(attention.stalled, counts.claimed - orphaned);
  return [
    { appearance: appearances.done, count: counts.done },
    { appearance: appearances.running, count: counts.running },
    { appearance: appearances.claimed, count: counts.claimed - orphaned - stalled },
    { appearance: appearances.stalled, count: stalled },
    { appearance: appearances.orphaned, count: orphaned },
    { appearance: appearances.submitted, count: counts.submitted },
    { appearance: appearances.failed, count: counts.failed },
    { appearance: appearances.ready, count: counts.ready },
    { appearance: appearances.blocked, count: counts.blocked },
  ];
}

/** One plan: its progress, its troubles and its ready nodes. */
export function PlanRow({
  plan,
  attention,
  levels = [],
}: {
  plan: PlanSummary;
  attention: Attention;
  levels?: readonly BurnUpLevel[];
}) {
  const parts = planStateCounts(plan, attention);
  const percent = plan.nodes === 0 ? 0 : Math.floor((plan.counts.done / plan.nodes) * 100);
  const hurts = attention.stalled + attention.orphaned + plan.counts.failed > 0;
  return (
    <article
      className={`panel group relative flex flex-1 flex-col gap-2.5 px-4 py-3.5 transition-colors hover:border-line-strong hover:bg-raised ${hurts ? (attention.orphaned > 0 ? 'tone-orphan' : plan.counts.failed > 0 ? 'tone-fail' : 'tone-warn') : ''} ${hurts ? 'border-l-2 border-l-[var(--tone)]' : ''}`}
    >
      <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <h2 className="flex min-w-0 max-w-full">
          <Link
            data-row
            href={paths.plan(plan.slug)}
            className="flex min-w-0 max-w-full items-center gap-2.5 rounded after:absolute after:inset-0 after:rounded-lg after:content-['']"
          >
            <span dir="auto" className="truncate font-semibold text-heading">
              {plan.title}
            </span>{' '}
            <span className="truncate font-mono text-fg-3 text-xs">{plan.slug}</span>
          </Link>
        </h2>
        {plan.repository && <Chip icon={GitBranch}>{plan.repository}</Chip>}
        {plan.source === 'file' && <Chip title="Imported from Service:PlansPath">file</Chip>}
        <span className="ml-auto shrink-0 text-fg-3 text-xs">
          edited <TimeAgo at={plan.updatedAt} suffix=" ago" />
        </span>
      </span>
      <span className="flex items-center gap-3">
        <StateBar parts={parts} total={plan.nodes} />
        <span className="max-md:hidden">
          <Sparkline levels={levels} />
        </span>
        <span className="w-[92px] shrink-0 text-right font-mono text-code text-fg-2">
          {plan.counts.done}/{plan.nodes} <span className="text-fg-3">{percent}%</span>
        </span>
      </span>
      <span className="flex flex-wrap gap-1.5">
        {plan.nodes === 0 && <span className="text-fg-3 text-sm">No nodes yet. Open it to add the first.</span>}
        {parts
          .filter(({ count }) => count > 0)
          .map(({ appearance, count }) => (
            <StateChip
              key={appearance.label}
              appearance={appearance}
              count={count}
              href={paths.planNodes(plan.slug, appearance.label.toLowerCase())}
            />
          ))}
      </span>
    </article>
  );
}
