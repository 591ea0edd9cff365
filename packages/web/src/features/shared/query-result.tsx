import type { ReactNode } from 'react';
import { firstSentence } from '../../live/advice-of-page.ts';
import { asProblem } from '../../live/problem.ts';
import { Notice } from '../../ui/notice.tsx';
import { LoadingPlaceholder } from '../../ui/page.tsx';
import { PageError } from '../../ui/page-error.tsx';

/** The shown state of a query. */
export type ShownQuery<Answer> = {
  data: Answer | undefined;
  isError: boolean;
  error: Error | null;
  refetch(): Promise<unknown>;
};

/** Shows the result of a query, or why there is none. A later failure never removes what is already shown; a 404 adds a notice. */
export function QueryResult<Answer>({
  query: of,
  children,
  actions,
}: {
  query: ShownQuery<Answer>;
  children: (answer: Answer) => ReactNode;
  actions?: ReactNode;
}) {
  const problem = of.isError ? asProblem(of.error) : null;
  if (of.data !== undefined)
    return (
      <>
        {problem?.status === 404 && (
          <div className="shrink-0 px-page pt-3">
            <Notice tone="warn" role="alert" title="No longer available.">
              {problem.message} This is the last known state.
            </Notice>
          </div>
        )}
        {children(of.data)}
      </>
    );
  if (!problem) return <LoadingPlaceholder />;
  const { status, message } = problem;
  // The next step is the button below.
  const reason = status === 404 && actions ? firstSentence(message) : message;
  return (
    <PageError status={status} message={reason} onRetry={() => void of.refetch()}>
      {actions}
    </PageError>
  );
}
