import { useStore } from 'zustand';
import { TextField } from '../ui/field.tsx';
import { actAs, settings } from './settings.ts';

export const useMe = (): string => useStore(settings, (state) => state.me);

/** The label a person acts under. */
export function MeField({ fault, required = false }: { fault?: string | undefined; required?: boolean }) {
  const me = useMe();
  return (
    <TextField
      label="Acting as"
      placeholder={required ? 'your name' : 'anonymous'}
      hint="A label others see beside what you do. Kept in this browser."
      required={required}
      maxLength={200}
      fault={fault}
      value={me}
      onChange={(event) => actAs(event.target.value)}
    />
  );
}
