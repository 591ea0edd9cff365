import type { ReactNode } from 'react';

/** A list and, beside it, what is chosen in it. */
export function Split({ children, aside, label }: { children: ReactNode; aside: ReactNode; label: string }) {
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      {aside && (
        <aside
          aria-label={label}
          tabIndex={0}
          className="w-[348px] shrink-0 overflow-y-auto border-line border-l bg-surface focus-visible:outline-offset-[-2px] max-lg:w-[300px]"
        >
          {aside}
        </aside>
      )}
    </div>
  );
}
