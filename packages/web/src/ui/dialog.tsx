import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { giveFocusBack } from './place.ts';
import { Toasts, useToastsInDialog } from './toasts.tsx';

/** The browser's own modal: it traps the focus, closes with Escape and returns the focus, without injected styles. */
export function Dialog({
  title,
  children,
  onClose,
  wide = false,
}: {
  title: ReactNode;
  children: ReactNode;
  onClose: () => void;
  wide?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isTyped = useRef(false);
  const pressedOutside = useRef(false);
  useToastsInDialog();
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    if (opened && !opened.open) opened.showModal();
    // The browser would focus the close button; the first field gets the focus instead.
    opened?.querySelector<HTMLElement>('input:enabled, textarea, select, [data-first]')?.focus();
    return () => {
      opened?.close();
      giveFocusBack(before);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        dialog.current?.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
      }}
      onInput={() => {
        isTyped.current = true;
      }}
      onPointerDown={({ target, currentTarget }) => {
        pressedOutside.current = target === currentTarget;
      }}
      // A click on the backdrop closes it, unless text was selected beyond the edge or something was typed.
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget && pressedOutside.current && !isTyped.current) onClose();
      }}
      className={`appear m-auto max-h-[86vh] scroll-pb-16 w-[calc(100vw-32px)] rounded-xl border border-line-strong bg-surface p-0 shadow-pop ${wide ? 'max-w-[860px]' : 'max-w-[520px]'}`}
    >
      <div className="flex items-center gap-3 border-line border-b px-5 py-3.5">
        <h2 id={heading} className="min-w-0 flex-1 truncate font-semibold text-heading">
          {title}
        </h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <div className="px-5 py-4">{children}</div>
      <Toasts inDialog />
    </dialog>
  );
}
