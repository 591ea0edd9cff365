import type { BoardRun } from '../board-run.ts';
import { repositoryOf, suiteOf } from '../run-views.ts';
import type { HistorySuite } from './ports.ts';

/** By the names that are shown; without any, all suites. */
export type SuiteFilter = { repository?: string | undefined; suite?: string | undefined };

export function fitsSuite(one: HistorySuite, { repository, suite }: SuiteFilter): boolean {
  const shown = shownNames(one);
  if (suite !== undefined && shown.suite !== suite) return false;
  if (repository === undefined || shown.repository === repository) return true;
  return one.repositoryName?.toLowerCase() === repository.toLowerCase();
}

export const suiteIn = ({ head: { start }, repositoryName }: BoardRun): HistorySuite => ({
  repository: start.repository,
  suite: start.suite,
  repositoryName,
});

export const shownNames = ({ repository, suite }: HistorySuite) => ({
  repository: repositoryOf({ repository }),
  suite: suiteOf({ suite }),
});
