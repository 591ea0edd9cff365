import type { ReactNode } from 'react';

/** A list and, beside it, what is chosen in it. */
export function Split({
  children,
  aside,
  label,
  wide = false,
}: {
  children: ReactNode;
  aside: ReactNode;
  label: string;
  wide?: boolean;
}) {
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      {aside && (
        <aside
          aria-label={label}
          tabIndex={0}
          className={`shrink-0 overflow-y-auto border-line border-l bg-surface focus-visible:outline-offset-[-2px] max-lg:w-[300px] ${wide ? 'w-[430px]' : 'w-[348px]'}`}
        >
          {aside}
        </aside>
      )}
    </div>
  );
}
