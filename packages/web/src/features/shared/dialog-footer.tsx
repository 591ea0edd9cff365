import { type ReactNode, useEffect, useRef } from 'react';
import { useWritesRefused } from '../../live/connection.ts';
import { Button } from '../../ui/button.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import type { useAction } from './use-action.ts';

type DialogFooterProps = Pick<ReturnType<typeof useAction>, 'busy' | 'problem'> & {
  /** Members with their own field, which already shows their errors. */
  members?: readonly string[];
  label: ReactNode;
  onClose: () => void;
  /** If omitted, the button submits the form around it. */
  onConfirm?: () => void;
  disabled?: boolean;
  /** Another action, shown at the far end of the row. */
  extraAction?: ReactNode;
  /** A button for a step before confirming, such as a preview. */
  children?: ReactNode;
};

/** The footer of every dialog: the refusal of the service, cancel and confirm, which stay in view while a long dialog is scrolled. The field that a refusal concerns is scrolled into view. */
export function DialogFooter({
  busy,
  problem,
  members = [],
  label,
  onClose,
  onConfirm,
  disabled = false,
  extraAction,
  children,
}: DialogFooterProps) {
  const away = useWritesRefused() !== null;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!problem) return;
    const field = row.current?.closest('dialog')?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // A focused field also shows its message below.
    field?.focus({ preventScroll: true });
    (field?.parentElement ?? row.current)?.scrollIntoView({ block: field ? 'center' : 'nearest' });
  }, [problem]);
  return (
    <>
      <RefusalNotice problem={problem} members={members} />
      <div
        ref={row}
        className="sticky bottom-0 -mx-5 -mb-4 flex flex-wrap items-start gap-2 border-line border-t bg-surface px-5 py-3"
      >
        {extraAction}
        <span className="flex-1" />
        <Button onClick={onClose}>Cancel</Button>
        {children}
        <Button
          kind={children && disabled ? 'plain' : 'primary'}
          type={onConfirm ? 'button' : 'submit'}
          disabled={busy || disabled || away}
          onClick={onConfirm}
        >
          {label}
        </Button>
      </div>
    </>
  );
}
