import { PlugZap, SearchX, ServerCrash } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty } from './page.tsx';

/** Why a page cannot show what it is for, and what to do. */
export function Trouble({
  status,
  message,
  again,
  children,
}: {
  status: number;
  message: string;
  again: () => void;
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
      <Empty icon={icon} title={title} whole>
        <p>{message}</p>
        <div className="flex justify-center gap-2">
          {children}
          <Button onClick={again}>Try again</Button>
        </div>
      </Empty>
    </div>
  );
}
