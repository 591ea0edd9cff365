import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';

/** A button that opens a small panel; Escape and leaving it close it. */
export function Menu({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <details className="relative" onBlur={closeWhenLeft} onKeyDown={closeByEscape}>
      <summary className="flex h-7 cursor-pointer list-none items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2.5 font-medium text-control hover:bg-hover">
        {label}
      </summary>
      <div className="panel absolute right-0 z-20 mt-1 w-[210px] p-1 shadow-pop">{children}</div>
    </details>
  );
}

function closeWhenLeft(event: FocusEvent<HTMLDetailsElement>): void {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}

function closeByEscape(event: KeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== 'Escape' || !event.currentTarget.open) return;
  event.preventDefault();
  event.currentTarget.open = false;
  event.currentTarget.querySelector('summary')?.focus();
}
