import { PlugZap, SearchX, ServerCrash } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './page.tsx';

/** Shown in place of a page that cannot be shown: why, and what to do. */
export function PageError({
  status,
  message,
  onRetry: again,
  children,
}: {
  status: number;
  message: string;
  onRetry: () => void;
  children?: ReactNode;
}) {
  const [icon, title] =
    status === 404
      ? ([SearchX, 'Not here'] as const)
      : status === 0
        ? ([PlugZap, 'No answer'] as const)
        : ([ServerCrash, 'That did not work'] as const);
  return (
    <div role="alert">
      <EmptyState icon={icon} title={title} isWholePage>
        <p>{message}</p>
        <div className="flex justify-center gap-2">
          {children}
          <Button onClick={again}>Try again</Button>
        </div>
      </EmptyState>
    </div>
  );
}
