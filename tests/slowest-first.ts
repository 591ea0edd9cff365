import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By kind, then files that start a test runner many times. */
const slowest = ['waiting', 'together', 'shared'];
const startsRunners = /-versions\.test\.ts$|hostile-console\.test\.ts$|pytest\.test\.ts$|packed\.test\.ts$/;

/**
 * On a new machine Vitest sorts by the names of projects and the sizes of files, so that a short file which drives
 * Playwright ran alone for half a minute when everything else had ended.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * slowest.indexOf(project.name) + (startsRunners.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
