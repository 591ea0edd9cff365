import { CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

type Toast = { id: number; text: string };
const toasts = createStore<{ list: readonly Toast[] }>(() => ({ list: [] }));
let count = 0;

/** Confirms an action that succeeded. Refusals are shown where they were caused instead. */
export function showToast(text: string): void {
  count += 1;
  const toast = { id: count, text };
  toasts.setState(({ list }) => ({ list: [...list.slice(-2), toast] }));
}

export function Toasts() {
  const list = useStore(toasts, (state) => state.list);
  return (
    <div aria-live="polite" className="pointer-events-none fixed right-4 bottom-4 z-50 flex flex-col items-end gap-2">
      {list.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(
      () => toasts.setState(({ list }) => ({ list: list.filter(({ id }) => id !== toast.id) })),
      4_500,
    );
    return () => clearTimeout(timer);
  }, [toast.id]);
  return (
    <p className="appear tone-done flex max-w-[420px] items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 shadow-pop">
      <CircleCheck size={15} className="shrink-0 text-tone-text" aria-hidden />
      <span className="min-w-0 break-words">{toast.text}</span>
    </p>
  );
}
