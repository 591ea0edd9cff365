import { memo, useCallback, useEffect, useMemo } from 'react';
import { asProblem } from '../../live/problem.ts';
import type { RunDetail } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.ts';
import { shortId } from '../../ui/short-id.ts';
import { SplitView } from '../../ui/split-view.tsx';
import { useNow } from '../../ui/time.tsx';
import { QueryResult } from '../shared/query-result.tsx';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { ConcurrentRunRows } from './concurrent-run-rows.tsx';
import { runSpan } from './concurrent-runs.ts';
import { ReplayBar } from './replay/replay-bar.tsx';
import { useReplayTime, useRunReplay } from './replay/use-run-replay.ts';
import { RunHeader } from './run-header.tsx';
import { tabTitle } from './run-signals.ts';
import { RunViews } from './run-views.tsx';
import type { TimeSpan } from './timeline/time-span.ts';
import { Timeline } from './timeline/timeline.tsx';
import { useChosenScenario } from './use-chosen-scenario.ts';
import { useRun } from './use-run.ts';
import { useRunSignals, useWatchedRun } from './use-run-signals.ts';

const ScenarioPanel = lazyComponent(async () => (await import('./scenario-panel.tsx')).ScenarioPanel);

export function RunPage({ runId }: { runId: string }) {
  const run = useRun(runId);
  const summary = run.data?.run;
  useBreadcrumbs(
    { label: 'Runs', href: paths.runs },
    { label: summary?.suite ?? shortId(runId), ...(summary && { title: tabTitle(summary) }) },
  );
  return (
    <QueryResult query={run} actions={<ButtonLink href={paths.runs}>All runs</ButtonLink>}>
      {(detail) => <LoadedRun detail={detail} />}
    </QueryResult>
  );
}

function LoadedRun({ detail }: { detail: RunDetail }) {
  const clock = useNow();
  const live = detail.run.state === 'running';
  const whole = runSpan(detail.run, clock);
  const [moment, setMoment] = useReplayTime();
  const at = live || !whole ? null : moment;
  const length = whole ? whole.to - whole.from : 0;
  const replay = useRunReplay(detail, whole?.from ?? 0, at);
  const shown = replay.shown ?? detail;
  const replaying = replay.shown !== null;
  const now = replaying && whole && at !== null ? whole.from + Math.min(at, length) : live ? clock : 0;
  useRunSignals(detail);
  const watched = useWatchedRun(detail);
  // Loaded after the page, so that the panel opens at once and the page does not wait for it.
  useEffect(ScenarioPanel.preload, []);
  const replayFromStart = useCallback(() => setMoment(0), [setMoment]);
  const below = useCallback(
    (span: TimeSpan, gutter: number) => (
      <>
        {at !== null && (
          <ReplayBar at={Math.min(at, length)} length={length} onMove={setMoment} onEnd={() => setMoment(null)} />
        )}
        <ConcurrentRunRows run={detail.run} span={span} gutter={gutter} />
      </>
    ),
    [at, length, setMoment, detail.run],
  );
  return (
    <>
      <RunHeader detail={shown} now={now} replaying={replaying} watched={watched} />
      <Timeline
        detail={shown}
        now={now}
        until={live ? null : (whole?.to ?? null)}
        replaying={replaying}
        minRows={replaying || live ? Math.max(1, detail.lanes.length) : 0}
        onReplay={live || length < 1 ? null : replayFromStart}
        below={below}
      />
      {replay.error && (
        <div className="px-page py-2">
          <RefusalNotice problem={asProblem(replay.error)} />
        </div>
      )}
      <ViewsAndPanel detail={shown} />
    </>
  );
}

/** The views of the run, with the selected scenario next to them. Not rendered again every second. */
const ViewsAndPanel = memo(function ViewsAndPanel({ detail }: { detail: RunDetail }) {
  const { uid, choose } = useChosenScenario();
  const scenario = useMemo(() => detail.scenarios.find((one) => one.uid === uid), [detail.scenarios, uid]);
  return (
    <SplitView
      label={`Scenario ${scenario?.scenario ?? ''}`}
      wide
      onClose={() => choose(null)}
      aside={scenario && <ScenarioPanel key={scenario.uid} scenario={scenario} detail={detail} />}
    >
      <RunViews detail={detail} />
    </SplitView>
  );
});
