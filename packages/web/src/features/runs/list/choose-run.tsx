import { GitCompareArrows } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../../paths.ts';
import { announce } from '../../../ui/announcer.tsx';
import { Button } from '../../../ui/button.tsx';
import { Kbd } from '../../../ui/page.tsx';
import { shortId } from '../../../ui/short-id.ts';
import { TimeAgo } from '../../../ui/time.tsx';
import { useKeys } from '../../../ui/use-keys.ts';
import { type Choice, type ChosenRun, comparisonOf } from './chosen-runs.ts';

/** Chooses a run for a comparison. */
export function ChooseRun({ run, choice }: { run: ChosenRun; choice: Choice }) {
  const name = `${run.suite} ${shortId(run.runId)}`;
  return (
    <label
      className="relative z-10 grid h-full w-7 shrink-0 cursor-pointer place-items-center rounded-md hover:bg-hover"
      title="Compare"
    >
      <input
        type="checkbox"
        aria-label={`Compare ${name}`}
        checked={choice.isChosen(run.runId)}
        onChange={() => choice.toggle(run)}
        className="size-4 accent-(--accent)"
      />
    </label>
  );
}

/** X chooses the focused row, C compares the two chosen rows. */
export function useChoiceKeys(choice: Choice, runOf: (runId: string) => ChosenRun | undefined): void {
  const [, go] = useLocation();
  useKeys({
    x: () => {
      const row = document.activeElement?.closest<HTMLElement>('[data-run]')?.dataset.run;
      const run = row === undefined ? undefined : runOf(row);
      return run ? choice.toggle(run) : false;
    },
    c: () => {
      const comparison = comparisonOf(choice.chosen);
      return comparison ? go(paths.comparison(comparison.after.runId, comparison.before.runId)) : false;
    },
  });
}

/** The runs chosen for a comparison, and the link to it. */
export function ComparisonBar({ choice }: { choice: Choice }) {
  const [, go] = useLocation();
  const [first] = choice.chosen;
  const chosen = choice.chosen.length;
  useEffect(() => {
    if (chosen === 1) announce('One run is chosen. Choose another to compare it with', 'chosen');
    if (chosen === 2) announce('Two runs are chosen. C compares them', 'pairs chosen');
  }, [chosen]);
  if (!first) return null;
  const comparison = comparisonOf(choice.chosen);
  return (
    <section
      aria-label="Comparison"
      className="panel sticky bottom-2 z-10 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 border-accent bg-raised px-3 py-2 shadow-pop"
    >
      <GitCompareArrows size={16} aria-hidden className="shrink-0 text-fg-2 max-md:hidden" />
      {comparison ? (
        <span className="min-w-0 flex-1 max-md:basis-full">
          What changed in <Name run={comparison.after} /> since <Name run={comparison.before} />
        </span>
      ) : (
        <span className="min-w-0 flex-1 text-fg-2 max-md:basis-full">
          <Name run={first} /> is chosen. Choose another run to compare it with.
        </span>
      )}
      <Button onClick={choice.clear}>Clear</Button>
      <Button
        kind="primary"
        disabled={!comparison}
        onClick={() => comparison && go(paths.comparison(comparison.after.runId, comparison.before.runId))}
      >
        Compare <Kbd>C</Kbd>
      </Button>
    </section>
  );
}

function Name({ run: { suite, runId, startedAt } }: { run: ChosenRun }) {
  return (
    <span className="whitespace-nowrap">
      <b className="font-semibold text-fg">{suite}</b>{' '}
      <code className="font-mono text-code text-fg-2">{shortId(runId)}</code>
      {startedAt && (
        <span className="text-fg-3">
          {' '}
          (<TimeAgo at={startedAt} suffix=" ago" />)
        </span>
      )}
    </span>
  );
}
