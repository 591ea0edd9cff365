import { useMemo } from 'react';
import { asProblem } from '../../live/problem.ts';
import { useRuns } from '../../live/queries.ts';
import { Refusal } from '../../live/refusal.tsx';
import { Shown } from '../../live/shown.tsx';
import { useRun } from '../../live/use-run.ts';
import type { RunDetail } from '../../live/wire.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { Split } from '../../ui/split.tsx';
import { useNow } from '../../ui/time.tsx';
import { lifeOf } from './alongside.ts';
import { AlongsideRows } from './alongside-rows.tsx';
import { ReplayBar } from './replay/replay-bar.tsx';
import { useMoment, useReplay } from './replay/use-replay.ts';
import { RunHead } from './run-head.tsx';
import { RunViews } from './run-views.tsx';
import { ScenarioPanel } from './scenario-panel.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useChoice } from './use-choice.ts';

export function RunPage({ runId }: { runId: string }) {
  const run = useRun(runId);
  useCrumbs({ label: 'Runs', href: '/runs' }, { label: run.data?.run.suite ?? runId.slice(0, 8) });
  return (
    <Shown of={run} aside={<ButtonLink href="/runs">All runs</ButtonLink>}>
      {(detail) => <Opened detail={detail} />}
    </Shown>
  );
}

function Opened({ detail }: { detail: RunDetail }) {
  const clock = useNow();
  const live = detail.run.state === 'running';
  const life = lifeOf(detail.run, clock);
  const [moment, setMoment] = useMoment();
  const at = live || !life ? null : moment;
  const length = life ? life.to - life.from : 0;
  const replay = useReplay(detail, life?.from ?? 0, at);
  const shown = replay.shown ?? detail;
  const replaying = replay.shown !== null;
  const now = replaying && life && at !== null ? life.from + Math.min(at, length) : live ? clock : 0;
  const runs = useRuns().data ?? none;
  const { uid, choose } = useChoice();
  const scenario = useMemo(() => shown.scenarios.find((one) => one.uid === uid), [shown.scenarios, uid]);
  return (
    <>
      <RunHead detail={shown} now={now} replaying={replaying} />
      <Timeline
        detail={shown}
        now={now}
        until={live ? null : (life?.to ?? null)}
        replaying={replaying}
        leastRows={replaying ? detail.lanes.length : 0}
        onReplay={live || length < 1 ? null : () => setMoment(0)}
        below={(span, gutter) => (
          <>
            {at !== null && (
              <ReplayBar at={Math.min(at, length)} length={length} onMove={setMoment} onEnd={() => setMoment(null)} />
            )}
            <AlongsideRows run={detail.run} runs={runs} now={clock} span={span} gutter={gutter} />
          </>
        )}
      />
      {replay.error && (
        <div className="px-[18px] py-2">
          <Refusal problem={asProblem(replay.error)} />
        </div>
      )}
      <Split
        label={`Scenario ${scenario?.scenario ?? ''}`}
        wide
        onClose={() => choose(null)}
        aside={scenario && <ScenarioPanel key={scenario.uid} scenario={scenario} detail={shown} />}
      >
        <RunViews detail={shown} />
      </Split>
    </>
  );
}

const none: never[] = [];
