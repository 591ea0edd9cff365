import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { RunDetail, ScenarioView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateIcon } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { HeadingLevel } from '../../ui/facts.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { scenarioAppearance, scenarioUrgency } from './run-appearance.ts';
import { ScenarioBody } from './scenario-panel.tsx';
import { useRun } from './use-run.ts';

/** A uid as the router reads it from an address: slashes and other reserved characters stay encoded. */
const inAddress = (uid: string): string => decodeURI(encodeURIComponent(uid));

/** One test of a run on its own page, with an address to share. */
export function TestPage({ runId, uid }: { runId: string; uid: string }) {
  const run = useRun(runId);
  const scenario = useMemo(() => run.data?.scenarios.find((one) => inAddress(one.uid) === uid), [run.data, uid]);
  useBreadcrumbs(
    { label: 'Runs', href: paths.runs },
    { label: run.data?.run.suite ?? runId.slice(0, 8), href: paths.run(runId) },
    { label: scenario?.scenario ?? 'Test' },
  );
  return (
    <QueryResult query={run} actions={<ButtonLink href={paths.runs}>All runs</ButtonLink>}>
      {(detail) => (scenario ? <Loaded detail={detail} scenario={scenario} /> : <Unknown detail={detail} uid={uid} />)}
    </QueryResult>
  );
}

function Loaded({ detail, scenario }: { detail: RunDetail; scenario: ScenarioView }) {
  const { runId, state } = detail.run;
  const [, go] = useLocation();
  const failing = useMemo(
    () =>
      detail.scenarios
        .filter(({ outcome }) => outcome === 'Failed' || outcome === 'Aborted')
        .toSorted((a, b) => scenarioUrgency(a) - scenarioUrgency(b)),
    [detail.scenarios],
  );
  const at = failing.findIndex(({ uid }) => uid === scenario.uid);
  const step = (by: number) => {
    const next = failing[(at + by + failing.length) % Math.max(1, failing.length)];
    if (next) go(paths.test(runId, next.uid));
  };
  useKeys({ n: () => step(1), p: () => step(-1), Escape: () => go(paths.run(runId, scenario.uid)) });
  return (
    <>
      <PageHeader
        title={
          <span className="flex items-start gap-2.5">
            <span className="min-w-0 break-words">{scenario.scenario}</span>
            <span className="order-first mt-1">
              <StateIcon appearance={scenarioAppearance(scenario, state === 'running')} size={18} />
            </span>
          </span>
        }
        besideTitle={<CopyButton text={scenario.uid} what="scenario id" />}
        description={scenario.feature}
        actions={
          <>
            {failing.length > 1 && (
              <>
                <span className="text-fg-3">
                  {at < 0 ? countWithNoun(failing.length, 'failure') : `Failure ${at + 1} of ${failing.length}`}
                </span>
                <Button icon={ChevronLeft} onClick={() => step(-1)}>
                  Previous failure
                </Button>
                <Button icon={ChevronRight} onClick={() => step(1)}>
                  {at < 0 ? 'First failure' : 'Next failure'}
                </Button>
              </>
            )}
            <ButtonLink icon={ArrowLeft} href={paths.run(runId, scenario.uid)}>
              Run
            </ButtonLink>
          </>
        }
      />
      <PageBody>
        <div className="mx-auto flex max-w-[1080px] flex-col gap-4">
          <HeadingLevel.Provider value={2}>
            <ScenarioBody key={scenario.uid} scenario={scenario} detail={detail} />
          </HeadingLevel.Provider>
        </div>
      </PageBody>
    </>
  );
}

function Unknown({ detail: { run }, uid }: { detail: RunDetail; uid: string }) {
  return (
    <EmptyState icon={ArrowLeft} title="Not in this run" isWholePage>
      <p>
        The run has no test {decodeURIComponent(uid)}.{run.state === 'running' && ' It may not have begun yet.'}
      </p>
      <p>
        <ButtonLink href={paths.run(run.runId)}>Open the run</ButtonLink>
      </p>
    </EmptyState>
  );
}
