import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Waiting } from '../ui/page.tsx';
import { Trouble } from '../ui/trouble.tsx';
import { asProblem } from './problem.ts';

/** What was read, or why not. What is already drawn is never taken away by a later failure. */
export function Shown<Answer>({
  of,
  children,
  aside,
}: {
  of: UseQueryResult<Answer>;
  children: (answer: Answer) => ReactNode;
  aside?: ReactNode;
}) {
  if (of.data !== undefined) return children(of.data);
  if (!of.isError) return <Waiting />;
  const { status, message } = asProblem(of.error);
  return (
    <Trouble status={status} message={message} again={() => void of.refetch()}>
      {aside}
    </Trouble>
  );
}
