import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { addChange, type Change, undoChange } from './undo.ts';

type Toast = { id: number; text: string; failed: boolean; change: Change | undefined };
const toasts = createStore<{ list: readonly Toast[] }>(() => ({ list: [] }));
let count = 0;

/** Confirms a successful action, and offers to undo it if possible. Refusals are shown where they were caused. */
export const showToast = (text: string, undo?: () => Promise<void>): void =>
  add({ text, change: undo && addChange(text, undo), failed: false });

/** Shows a failure in the background, such as the first failed test of a run. The caller announces it. */
export const showFailure = (text: string): void => add({ text, change: undefined, failed: true });

function add(toast: Omit<Toast, 'id'>): void {
  count += 1;
  const added = { ...toast, id: count };
  toasts.setState(({ list }) => ({ list: [...list.slice(-2), added] }));
}

const removeToast = (id: number): void =>
  toasts.setState(({ list }) => ({ list: list.filter((toast) => toast.id !== id) }));

/** How many dialogs are open. Nothing behind a dialog can be seen or clicked, so the dialog shows the toasts. */
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
  // Behind a dialog the region stays mounted and empty: a region that is mounted together with its text may not be read
  // out.
  const shown = hasDialog === inDialog ? list : [];
  return (
    <div
      aria-live="polite"
      className={`pointer-events-none flex flex-col items-end gap-2 ${inDialog ? 'sticky bottom-3 px-5 pb-4' : 'fixed right-4 bottom-[calc(1rem+var(--below-toasts,0px))] z-50'}`}
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** Undoes a change and confirms that; its own toast disappears. */
export function takeBack(change: Change): void {
  toasts.setState(({ list }) => ({ list: list.filter((toast) => toast.change !== change) }));
  void undoChange(change).then((text) => showToast(text));
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, text, change, failed } = toast;
  useEffect(() => {
    const timer = setTimeout(() => removeToast(id), change ? 10_000 : 4_500);
    return () => clearTimeout(timer);
  }, [id, change]);
  const Icon = failed ? CircleX : CircleCheck;
  return (
    <p
      {...(failed && { 'aria-live': 'off' })}
      className={`appear ${failed ? 'tone-fail' : 'tone-done'} flex max-w-[420px] items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 shadow-pop`}
    >
      <Icon size={15} className="shrink-0 text-tone-text" aria-hidden />
      <span dir="auto" className="min-w-0 break-words">
        {text}
      </span>
      {change && (
        <button
          type="button"
          title="Undo (Ctrl Z)"
          onClick={() => takeBack(change)}
          className="pointer-events-auto ml-2 min-h-6 rounded px-1.5 font-semibold underline hover:text-fg"
        >
          Undo
        </button>
      )}
    </p>
  );
}
