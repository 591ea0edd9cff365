import { useLayoutEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { Mode } from './features/shared/mode.ts';
import { onServiceBack } from './live/connection.ts';
import { paths, patterns } from './paths.ts';
import { sectionOf } from './shell/nav-items.ts';
import { NotFound } from './shell/not-found.tsx';
import { breadcrumbs } from './ui/breadcrumbs.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { lazyComponent } from './ui/lazy-component.ts';
import { useRouteFocus } from './ui/place.ts';

// One chunk per page, loaded when the page is opened.
const Home = lazyComponent(async () => (await import('./features/home/home-page.tsx')).HomePage);
const Today = lazyComponent(async () => (await import('./features/today/today-page.tsx')).TodayPage);
const Plans = lazyComponent(async () => (await import('./features/plans/plans-page.tsx')).PlansPage);
const Plan = lazyComponent(async () => (await import('./features/plans/plan-page.tsx')).PlanPage);
const Ready = lazyComponent(async () => (await import('./features/work/ready-page.tsx')).ReadyPage);
const Agents = lazyComponent(async () => (await import('./features/agents/agents-page.tsx')).AgentsPage);
const Session = lazyComponent(async () => (await import('./features/agents/session-page.tsx')).SessionPage);
const Changes = lazyComponent(async () => (await import('./features/changes/changes-page.tsx')).ChangesPage);
const Repositories = lazyComponent(
  async () => (await import('./features/repositories/repositories-page.tsx')).RepositoriesPage,
);
const Repository = lazyComponent(
  async () => (await import('./features/repositories/repository-page.tsx')).RepositoryPage,
);
const Runs = lazyComponent(async () => (await import('./features/runs/list/runs-page.tsx')).RunsPage);
const EventModel = lazyComponent(
  async () => (await import('./features/event-model/event-model-page.tsx')).EventModelPage,
);
const Run = lazyComponent(async () => (await import('./features/runs/run-page.tsx')).RunPage);

const Test = lazyComponent(async () => (await import('./features/runs/test-page.tsx')).TestPage);
const Tests = lazyComponent(async () => (await import('./features/tests/tests-page.tsx')).TestsPage);

const Tokens = lazyComponent(async () => (await import('./features/access/tokens-page.tsx')).TokensPage);
const Webhooks = lazyComponent(async () => (await import('./features/access/webhooks-page.tsx')).WebhooksPage);
const Settings = lazyComponent(async () => (await import('./features/settings/settings-page.tsx')).SettingsPage);
const Audit = lazyComponent(async () => (await import('./features/access/audit-page.tsx')).AuditPage);

export function Routes({ mode }: { mode: Mode }) {
  const [path] = useLocation();
  // Used until the page sets its own title, and if the page cannot be loaded.
  useLayoutEffect(() => breadcrumbs.setState({ trail: [{ label: sectionOf(path, mode) }] }), [path, mode]);
  useRouteFocus(path);
  return (
    <ErrorBoundary key={path} onServiceBack={onServiceBack}>
      <Switch>
        <Route path={patterns.runs}>
          <Runs />
        </Route>
        <Route path={patterns.run}>{({ runId }) => <Run key={runId} runId={runId} />}</Route>
        <Route path={patterns.test}>{({ runId, uid }) => <Test key={runId} runId={runId} uid={uid} />}</Route>
        <Route path={patterns.tests}>
          <Tests />
        </Route>
        <Route path={patterns.eventModel}>
          <EventModel />
        </Route>
        <Route path={patterns.settings}>
          <Settings mode={mode} />
        </Route>
        {mode === 'whole' ? coordination : null}
        <Route path={patterns.start}>{mode === 'whole' ? <Home /> : <Redirect to={paths.runs} replace />}</Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

const coordination = [
  <Route key="today" path={patterns.today}>
    <Today />
  </Route>,
  <Route key="plans" path={patterns.plans}>
    <Plans />
  </Route>,
  <Route key="plan" path={patterns.plan}>
    {({ slug }) => <Plan key={slug} slug={slug} />}
  </Route>,
  <Route key="tokens" path={patterns.tokens}>
    <Tokens />
  </Route>,
  <Route key="audit" path={patterns.audit}>
    <Audit />
  </Route>,
  <Route key="webhooks" path={patterns.webhooks}>
    <Webhooks />
  </Route>,
  <Route key="ready" path={patterns.ready}>
    <Ready />
  </Route>,
  <Route key="agents" path={patterns.agents}>
    <Agents />
  </Route>,
  <Route key="session" path={patterns.session}>
    {({ sessionId }) => <Session key={sessionId} sessionId={sessionId} />}
  </Route>,
  <Route key="changes" path={patterns.changes}>
    <Changes />
  </Route>,
  <Route key="repositories" path={patterns.repositories}>
    <Repositories />
  </Route>,
  <Route key="repository" path={patterns.repository}>
    {({ owner, name }) => <Repository key={`${owner}/${name}`} owner={owner} name={name} />}
  </Route>,
];
