import { useState } from 'react';
import { useStore } from 'zustand';
import { TextField } from '../../ui/field.tsx';
import { choose, settings } from '../../ui/settings.ts';
import { useMe } from './me.ts';

/** The name of the token, which the service enforces, otherwise the name that was set here. */
export function useActingAs(): string {
  const typed = useStore(settings, (state) => state.me);
  return useMe()?.name ?? typed;
}

/** The name under which a dialog acts: a field if it is not set yet, otherwise the name and a way to change it. */
export function ActingAsField({ fault, required = false }: { fault?: string | undefined; required?: boolean }) {
  const me = useActingAs();
  const isNamed = (useMe()?.name ?? null) !== null;
  const [asked, setAsked] = useState(me === '');
  if (!asked && !fault)
    return (
      <p className="text-fg-2">
        Acting as <b className="font-semibold text-fg">{me}</b>
        {isNamed ? (
          <span className="text-fg-3">, the name of your token</span>
        ) : (
          <button
            type="button"
            onClick={() => setAsked(true)}
            className="ml-2 rounded underline decoration-dotted hover:text-fg"
          >
            Change
          </button>
        )}
      </p>
    );
  return <NameField fault={fault} required={required} />;
}

/** The field for the name under which a person acts; stored in this browser and used everywhere. */
export function NameField({ fault, required = false }: { fault?: string | undefined; required?: boolean }) {
  return (
    <TextField
      label="Acting as"
      placeholder={required ? 'your name' : 'anonymous'}
      hint="Others see this name beside what you do. It is kept in this browser."
      required={required}
      maxLength={200}
      fault={fault}
      value={useActingAs()}
      onChange={(event) => choose({ me: event.target.value })}
    />
  );
}
