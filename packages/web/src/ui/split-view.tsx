import type { ReactNode } from 'react';
import { useKeys } from './use-keys.ts';

const none = {};

/** A list and a panel for the chosen row. In a narrow window the panel covers the list until it is closed. */
export function SplitView({
  children,
  aside,
  label,
  wide = false,
  onClose,
}: {
  children: ReactNode;
  aside: ReactNode;
  label: string;
  wide?: boolean;
  /** When left out, the panel cannot be closed, and in a narrow window it is shown below the list. */
  onClose?: (() => void) | undefined;
}) {
  useKeys(aside && onClose ? { Escape: onClose } : none);
  const below = !onClose;
  const narrow = below
    ? 'max-md:max-h-[45%] max-md:w-full max-md:border-t'
    : 'max-md:absolute max-md:inset-0 max-md:z-20 max-md:w-full';
  return (
    <div className={`relative flex min-h-0 flex-1 max-md:h-[75dvh] max-md:flex-none ${below ? 'max-md:flex-col' : ''}`}>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      {aside && (
        <aside
          aria-label={label}
          tabIndex={0}
          className={`shrink-0 overflow-y-auto border-line border-l bg-surface focus-visible:outline-offset-[-2px] max-md:border-l-0 md:max-lg:w-[300px] ${narrow} ${wide ? 'lg:w-[430px]' : 'lg:w-[348px]'}`}
        >
          {aside}
        </aside>
      )}
    </div>
  );
}
