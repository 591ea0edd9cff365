import type { BoardRun } from '../run-registry.ts';
import { repositoryOf, suiteOf } from '../run-views.ts';
import type { HistorySuite } from './ports.ts';

/** Filters by the displayed names; without any, all suites match. */
export type SuiteFilter = { repository?: string | undefined; suite?: string | undefined };

export function fitsSuite(one: HistorySuite, { repository, suite }: SuiteFilter): boolean {
  const shown = shownNames(one);
  if (suite !== undefined && shown.suite !== suite) return false;
  if (repository === undefined || [shown.repository, one.repository].includes(repository)) return true;
  return one.repositoryName?.toLowerCase() === repository.toLowerCase();
}

export const suiteIn = ({ head: { start }, repositoryName }: BoardRun): HistorySuite => ({
  repository: start.repositoryId ?? start.repository,
  suite: start.suite,
  repositoryName,
});

/** The key of the suite before its repository had an id; null if it is the same. */
export function formerSuiteIn({ head: { start }, repositoryName }: BoardRun): HistorySuite | null {
  if ((start.repositoryId ?? start.repository) === start.repository) return null;
  return { repository: start.repository, suite: start.suite, repositoryName };
}

export const shownNames = ({ repository, path, suite }: HistorySuite) => ({
  repository: repositoryOf({ repository: path ?? repository }),
  suite: suiteOf({ suite }),
});
