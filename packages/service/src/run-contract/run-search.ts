import { z } from 'zod';

/** Filters of the lists of runs and of suites. Hidden from MCP clients to keep their tools short. */
export const runSearch = {
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Only runs with this text in suite, tag, branch, repository or run id')
    .meta({ 'x-restOnly': true }),
  failed: z
    .boolean()
    .optional()
    .describe('true: only runs with failures, or that did not end normally')
    .meta({ 'x-restOnly': true }),
};

export type RunSearch = { search?: string | undefined; failed?: boolean | undefined };

type Named = {
  runId: string;
  suite: string;
  repository: string;
  repositoryName: string | null;
  branch: string | null;
  tag: string | null;
};

/** Whether one of the names of a run contains the text; case does not matter. */
export function hasText(run: Named, search: string): boolean {
  const wanted = search.toLowerCase();
  return [run.suite, run.tag, run.branch, run.repositoryName, run.repository, run.runId].some(
    (name) => name?.toLowerCase().includes(wanted) ?? false,
  );
}

/** Whether something failed in a run, or the whole run did not end well. */
export const hasFailed = ({ failed, green }: { failed: number; green: boolean | null }): boolean =>
  failed > 0 || green === false;

export const isFound = (run: Named & { failed: number; green: boolean | null }, { search, failed }: RunSearch) =>
  (failed === undefined || hasFailed(run) === failed) && (search === undefined || hasText(run, search));
