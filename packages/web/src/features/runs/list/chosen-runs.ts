import { useState } from 'react';

/** A run that is chosen for a comparison. */
export type ChosenRun = { runId: string; suite: string; startedAt: string | null };

/** At most two are chosen; a third takes the place of the one chosen first. */
export function toggled(chosen: readonly ChosenRun[], run: ChosenRun): readonly ChosenRun[] {
  const others = chosen.filter(({ runId }) => runId !== run.runId);
  return others.length < chosen.length ? others : [...chosen, run].slice(-2);
}

/** The later of two runs is compared with the earlier one. */
export function comparisonOf(chosen: readonly ChosenRun[]): { before: ChosenRun; after: ChosenRun } | null {
  const [before, after] = chosen.toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1));
  return before && after ? { before, after } : null;
}

export function useChosenRuns() {
  const [chosen, setChosen] = useState<readonly ChosenRun[]>([]);
  return {
    chosen,
    isChosen: (runId: string) => chosen.some((one) => one.runId === runId),
    toggle: (run: ChosenRun) => setChosen((before) => toggled(before, run)),
    clear: () => setChosen([]),
  };
}
export type Choice = ReturnType<typeof useChosenRuns>;
