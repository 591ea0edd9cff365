import { useEffect, useRef } from 'react';
import { settings } from './settings.ts';

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keyboard shortcuts of the page; ignored while a person types or a dialog is open. A handler that returns false passes the key on. */
export function useKeys(bindings: Readonly<Record<string, () => unknown>>): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      if (event.key.length === 1 && !settings.getState().shortcuts) return;
      const run = latest.current[event.key];
      if (!run) return;
      if (run() !== false) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
