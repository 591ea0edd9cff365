import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { isTyping } from './use-keys.ts';

/** An action on this page that can be undone. */
export type Change = { id: number; text: string; at: number; undo: () => Promise<void> };

const keptChanges = 20;

/** The changes since this page was loaded, newest first. */
export const recentChanges = createStore<{ list: readonly Change[] }>(() => ({ list: [] }));

let count = 0;

export function addChange(text: string, undo: () => Promise<void>): Change {
  count += 1;
  const change = { id: count, text, undo, at: Date.now() };
  recentChanges.setState(({ list }) => ({ list: [change, ...list].slice(0, keptChanges) }));
  return change;
}

/** Undoes a change once; returns a sentence for the person. */
export async function undoChange(change: Change): Promise<string> {
  if (!recentChanges.getState().list.includes(change)) return 'Already undone';
  recentChanges.setState(({ list }) => ({ list: list.filter((one) => one !== change) }));
  try {
    await change.undo();
    return `Undone: ${change.text}`;
  } catch (fault) {
    return `Could not undo: ${fault instanceof Error ? fault.message : String(fault)}`;
  }
}

/** Ctrl Z undoes the last change, except in a field, where the browser undoes typing. */
export function useUndoKey(onUndo: (change: Change) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const [last] = recentChanges.getState().list;
      if (!last) return;
      event.preventDefault();
      onUndo(last);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [onUndo]);
}
