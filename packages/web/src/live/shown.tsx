import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/page.tsx';
import { Trouble } from '../ui/trouble.tsx';
import { asProblem } from './problem.ts';

/** What was read, or why not. What is already drawn is never taken away by a later failure; that it is gone is said. */
export function Shown<Answer>({
  of,
  children,
  aside,
}: {
  of: UseQueryResult<Answer>;
  children: (answer: Answer) => ReactNode;
  aside?: ReactNode;
}) {
  const problem = of.isError ? asProblem(of.error) : null;
  if (of.data !== undefined)
    return (
      <>
        {problem?.status === 404 && (
          <div className="shrink-0 px-[18px] pt-3">
            <Notice tone="warn" role="alert" title="No longer here.">
              {problem.message} What you see is the last that was known of it.
            </Notice>
          </div>
        )}
        {children(of.data)}
      </>
    );
  if (!problem) return <Waiting />;
  const { status, message } = problem;
  return (
    <Trouble status={status} message={message} again={() => void of.refetch()}>
      {aside}
    </Trouble>
  );
}
