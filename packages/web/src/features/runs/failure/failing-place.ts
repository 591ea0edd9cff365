import { failuresOf } from 'signalbox/browser/failure';
import type { ScenarioView } from '../../../live/wire.ts';
import { attemptsOf } from '../attempts.ts';

type Place = { file: string; line: number | null };

/** The line where a test failed in its last attempt, otherwise its definition. A list and its details show the same place. */
export function failingPlaceOf(scenario: ScenarioView): Place | null {
  const last = attemptsOf(scenario).at(-1);
  const broke = last && failuresOf(last)[0]?.place;
  return broke ?? (scenario.file ? { file: scenario.file, line: scenario.line ?? null } : null);
}
