import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Mode } from './live/mode.ts';
import { NotFound } from './shell/not-found.tsx';
import { Waiting } from './ui/page.tsx';

const PlansPage = lazy(async () => ({ default: (await import('./features/plans/plans-page.tsx')).PlansPage }));
const PlanPage = lazy(async () => ({ default: (await import('./features/plans/plan-page.tsx')).PlanPage }));

export function Routes({ mode }: { mode: Mode }) {
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        {mode === 'whole' && (
          <>
            <Route path="/plans">
              <PlansPage />
            </Route>
            <Route path="/plans/:slug">{({ slug }) => <PlanPage key={slug} slug={slug} />}</Route>
          </>
        )}
        <Route path="/">
          <Redirect to={mode === 'whole' ? '/plans' : '/runs'} replace />
        </Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}
