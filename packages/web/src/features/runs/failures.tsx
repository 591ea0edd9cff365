import { PartyPopper } from 'lucide-react';
import { useMemo } from 'react';
import { failingTestsOf, isFailing } from 'signalbox/browser/failures';
import type { RunDetail } from '../../live/wire.ts';
import { appearances, StateIcon } from '../../ui/appearance.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { failingPlaceOf } from './failure/failing-place.ts';
import { exitedWithoutFailures } from './run-appearance.ts';
import { useChosenScenario } from './use-chosen-scenario.ts';

/** The failures of a run, in the groups that agents see too. */
function useFailures({ run, scenarios }: RunDetail) {
  return useMemo(
    () =>
      failingTestsOf(
        run,
        scenarios.filter(({ outcome }) => isFailing(outcome)),
      ).groups,
    [run, scenarios],
  );
}

const shownAtMost = 100;

/** Failed tests, as counted in the header; tests without a verdict are listed below them. */
export const countFailures = ({ run }: RunDetail): number => run.failed;

export function Failures({ detail }: { detail: RunDetail }) {
  const { run } = detail;
  const groups = useFailures(detail);
  if (groups.length === 0 && exitedWithoutFailures(run))
    return <p className="py-14 text-center text-fg-3">No scenario failed, but the run did not pass.</p>;
  if (groups.length === 0)
    return (
      <p className="flex items-center justify-center gap-2 py-14 text-fg-3">
        <PartyPopper size={16} aria-hidden /> Nothing has failed in this run.
      </p>
    );
  return (
    <section aria-label="Failures by signature" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto px-page py-3">
      <ul className="flex flex-col gap-2.5">
        {groups.map((group, index) => (
          <li key={group.signature} className="panel">
            <details open={index < 3}>
              <summary className="flex cursor-pointer items-center gap-2.5 px-3 py-2">
                <StateIcon
                  appearance={group.signature === 'no verdict' ? appearances.indeterminate : appearances.failed}
                />
                <b className="min-w-5 shrink-0 font-semibold">{group.count}</b>
                <h2 className="min-w-0 flex-1 truncate font-mono text-note" title={group.signature}>
                  {group.signature}
                </h2>
              </summary>
              <Tests tests={group.tests} detail={detail} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

type TestsProps = { tests: ReturnType<typeof useFailures>[number]['tests']; detail: RunDetail };

function Tests({ tests, detail: { scenarios } }: TestsProps) {
  const { uid: chosen, choose } = useChosenScenario();
  const shown = useMemo(() => {
    const byUid = new Map(scenarios.map((scenario) => [scenario.uid, scenario]));
    return tests.slice(0, shownAtMost).map(({ uid, message }) => {
      const scenario = byUid.get(uid);
      return { uid, message, place: scenario ? failingPlaceOf(scenario) : null };
    });
  }, [tests, scenarios]);
  return (
    <ul className="border-line border-t py-1">
      {shown.map(({ uid, message, place }) => {
        const location = place && `${place.file}${place.line ? `:${place.line}` : ''}`;
        return (
          <li key={uid} className={`flex items-center gap-2 pr-2 ${uid === chosen ? 'bg-accent-soft' : ''}`}>
            <button
              type="button"
              aria-pressed={uid === chosen}
              onClick={() => choose(uid)}
              className="flex min-w-0 flex-1 items-baseline gap-3 px-3 py-1.5 text-left hover:bg-hover max-sm:flex-wrap max-sm:gap-y-0"
            >
              <span dir="auto" className="w-[45%] shrink-0 truncate font-medium max-sm:w-full">
                {uid}
              </span>
              <span className="min-w-0 flex-1 truncate text-fg-3">{message?.split('\n', 1)[0]}</span>
              {location && (
                <code className="max-w-[30%] shrink-0 truncate font-mono text-code text-fg-2">{location}</code>
              )}
            </button>
            {location && <CopyButton text={location} what="place" />}
          </li>
        );
      })}
      {tests.length > shownAtMost && (
        <li className="px-3 py-1.5 text-fg-3">and {formatCount(tests.length - shownAtMost)} more like these</li>
      )}
    </ul>
  );
}
