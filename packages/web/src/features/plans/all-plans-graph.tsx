import { useQueries } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { PlanSummary } from '../../live/wire.ts';
import { lazyComponent } from '../../ui/lazy-component.ts';
import { LoadingPlaceholder } from '../../ui/page.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { Inspector } from '../nodes/inspector.tsx';
import { EmptyPlans } from './empty-plans.tsx';
import { useCriticalPath } from './graph/use-critical-path.ts';
import { statusQuery } from './plan-queries.ts';

const PlanGraph = lazyComponent(async () => (await import('./graph/plan-graph.tsx')).PlanGraph);
const groupings = ['plan', 'repository', 'label', 'none'] as const;
const none: never[] = [];

/** All plans as one graph, one card per plan (a click opens it). It shows which plans wait for other plans. */
export function AllPlansGraph({ plans }: { plans: readonly PlanSummary[] }) {
  const [selected, select] = useSearchParam('node');
  // Sorted by name, so that a changed plan does not change the drawing.
  const slugs = useMemo(() => plans.map(({ slug }) => slug).sort(), [plans]);
  const read = useQueries({ queries: slugs.map(statusQuery) }).map(
    // A plan that was archived meanwhile has no nodes and does not delay the others.
    ({ data, isError }) => data?.nodes ?? (isError ? none : undefined),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list each time, with the same nodes in it
  const nodes = useMemo(() => read.flatMap((list) => list ?? []), [...read, read.length]);
  const byRef = useMemo(() => new Map(nodes.map((one) => [one.ref.toLowerCase(), one])), [nodes]);
  const titles = useMemo(() => new Map(plans.map(({ slug, title }) => [slug, title])), [plans]);
  const path = useCriticalPath(nodes);
  const node = selected === null ? undefined : byRef.get(selected.toLowerCase());
  // The drawing stays while a newly added plan is read.
  const isDrawn = useRef(false);
  if (!isDrawn.current && read.some((list) => list === undefined)) return <LoadingPlaceholder />;
  isDrawn.current = true;
  return (
    <SplitView
      label={`Node ${node?.title ?? ''}`}
      onClose={() => select(null)}
      aside={
        node && (
          <Inspector
            key={node.ref}
            node={node}
            onClose={() => select(null)}
            other={(ref) => byRef.get(ref.toLowerCase())}
            path={path}
          />
        )
      }
    >
      <EmptyPlans plans={plans} />
      <PlanGraph nodes={nodes} path={path} names="ref" groupings={groupings} titles={titles} />
    </SplitView>
  );
}
