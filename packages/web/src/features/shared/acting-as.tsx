import { useStore } from 'zustand';
import { TextField } from '../../ui/field.tsx';
import { actAs, settings } from '../../ui/settings.ts';

export const useActingAs = (): string => useStore(settings, (state) => state.me);

/** The field for the label that a person acts under. */
export function ActingAsField({ fault, required = false }: { fault?: string | undefined; required?: boolean }) {
  const me = useActingAs();
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
