import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Refusal } from './refusal.tsx';
import type { useAct } from './use-act.ts';

type Confirm = Pick<ReturnType<typeof useAct>, 'busy' | 'problem'> & {
  label: ReactNode;
  onClose: () => void;
  /** Left out: it submits the form it stands in. */
  onConfirm?: () => void;
  disabled?: boolean;
  /** Something else that can be done here, far from the way on. */
  aside?: ReactNode;
  /** A step before the last one. */
  children?: ReactNode;
};

/** The end of every dialog: what the service refused, and the way out or on. */
export function Confirm({ busy, problem, label, onClose, onConfirm, disabled = false, aside, children }: Confirm) {
  return (
    <>
      <Refusal problem={problem} />
      <div className="flex flex-wrap items-start gap-2">
        {aside}
        <span className="flex-1" />
        <Button onClick={onClose}>Cancel</Button>
        {children}
        <Button
          kind={children && disabled ? 'plain' : 'primary'}
          type={onConfirm ? 'button' : 'submit'}
          disabled={busy || disabled}
          onClick={onConfirm}
        >
          {label}
        </Button>
      </div>
    </>
  );
}
