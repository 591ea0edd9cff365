import { Button } from '../ui/button.tsx';
import { Refusal } from './refusal.tsx';
import type { useAct } from './use-act.ts';

type Confirm = Pick<ReturnType<typeof useAct>, 'busy' | 'problem'> & {
  label: string;
  onClose: () => void;
  onConfirm: () => void;
};

/** The end of a dialog that asks: what the service refused, and the way out or on. */
export function Confirm({ busy, problem, label, onClose, onConfirm }: Confirm) {
  return (
    <>
      <Refusal problem={problem} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={busy} onClick={onConfirm}>
          {label}
        </Button>
      </div>
    </>
  );
}
