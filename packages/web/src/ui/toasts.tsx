import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

type Toast = { id: number; text: string; failed: boolean; undo: (() => Promise<void>) | undefined };
const toasts = createStore<{ list: readonly Toast[] }>(() => ({ list: [] }));
let count = 0;

/** Confirms an action that succeeded, and offers to undo it where that is possible. Refusals are shown where they were caused. */
export const showToast = (text: string, undo?: () => Promise<void>): void => add({ text, undo, failed: false });

/** Reports a failure in the background, such as the first failed test of a run. */
export const showFailure = (text: string): void => add({ text, undo: undefined, failed: true });

function add(toast: Omit<Toast, 'id'>): void {
  count += 1;
  const added = { ...toast, id: count };
  toasts.setState(({ list }) => ({ list: [...list.slice(-2), added] }));
}

const removeToast = (id: number): void =>
  toasts.setState(({ list }) => ({ list: list.filter((toast) => toast.id !== id) }));

/** How many dialogs are open. Behind one nothing can be seen or clicked, so that the dialog shows the toasts. */
const dialogs = createStore<{ open: number }>(() => ({ open: 0 }));

export function useToastsInDialog(): void {
  useEffect(() => {
    dialogs.setState(({ open }) => ({ open: open + 1 }));
    return () => dialogs.setState(({ open }) => ({ open: open - 1 }));
  }, []);
}

export function Toasts({ inDialog = false }: { inDialog?: boolean }) {
  const hasDialog = useStore(dialogs, ({ open }) => open > 0);
  const list = useStore(toasts, (state) => state.list);
  if (hasDialog !== inDialog) return null;
  return (
    <div
      aria-live="polite"
      className={`pointer-events-none flex flex-col items-end gap-2 ${inDialog ? 'sticky bottom-3 px-5 pb-4' : 'fixed right-4 bottom-[calc(1rem+var(--below-toasts,0px))] z-50'}`}
    >
      {list.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, text, undo, failed } = toast;
  useEffect(() => {
    const timer = setTimeout(() => removeToast(id), undo ? 10_000 : 4_500);
    return () => clearTimeout(timer);
  }, [id, undo]);
  const takeBack = () => {
    removeToast(id);
    undo?.().then(
      () => showToast('Undone'),
      (fault: unknown) => showToast(`Could not undo: ${fault instanceof Error ? fault.message : String(fault)}`),
    );
  };
  const Icon = failed ? CircleX : CircleCheck;
  return (
    <p
      className={`appear ${failed ? 'tone-fail' : 'tone-done'} flex max-w-[420px] items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 shadow-pop`}
    >
      <Icon size={15} className="shrink-0 text-tone-text" aria-hidden />
      <span className="min-w-0 break-words">{text}</span>
      {undo && (
        <button
          type="button"
          onClick={takeBack}
          className="pointer-events-auto ml-2 rounded font-semibold underline hover:text-fg"
        >
          Undo
        </button>
      )}
    </p>
  );
}
