import { useStore } from 'zustand';
import { CheckBox } from '../../ui/field.tsx';
import { choose, settings } from '../../ui/settings.ts';

/** Whether single-letter shortcuts are on. */
export function ShortcutsChoice() {
  const shortcuts = useStore(settings, (state) => state.shortcuts);
  return (
    <CheckBox checked={shortcuts} onChange={(on) => choose({ shortcuts: on })}>
      Shortcuts of one character. Ctrl K, Ctrl Z, Enter, Esc and the arrows always work.
    </CheckBox>
  );
}
