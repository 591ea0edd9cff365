import { useStore } from 'zustand';
import { TextField } from '../../ui/field.tsx';
import { actAs, settings } from '../../ui/settings.ts';
import { useMe } from './me.ts';

/** The name of the token, which the service holds everybody to, or else what was typed here. */
export function useActingAs(): string {
  const typed = useStore(settings, (state) => state.me);
  return useMe()?.name ?? typed;
}

/** The field for the label that a person acts under. */
export function ActingAsField({ fault, required = false }: { fault?: string | undefined; required?: boolean }) {
  const me = useActingAs();
  const isNamed = (useMe()?.name ?? null) !== null;
  return (
    <TextField
      label="Acting as"
      placeholder={required ? 'your name' : 'anonymous'}
      hint={isNamed ? 'The name of your token.' : 'A label others see beside what you do. Kept in this browser.'}
      readOnly={isNamed}
      required={required}
      maxLength={200}
      fault={fault}
      value={me}
      onChange={(event) => actAs(event.target.value)}
    />
  );
}
