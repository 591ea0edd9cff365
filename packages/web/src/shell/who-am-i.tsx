import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { NameField, useActingAs } from '../features/shared/acting-as.tsx';
import { useMe } from '../features/shared/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Who this browser acts as, and what it may do. Set once, used by every action. */
export function WhoAmI() {
  const me = useMe();
  const actingAs = useActingAs();
  const [open, setOpen] = useState(false);
  if (!me) return null;
  const isNamed = me.name !== null;
  const name = actingAs || (me.tokenAsked ? 'Operator' : 'Anonymous');
  const may = me.scopes.includes('admin') ? 'everything' : me.scopes.join(', ');
  const hint = me.tokenAsked ? may : actingAs ? 'change' : 'set name';
  return (
    <>
      <button
        type="button"
        title={isNamed ? `${name}: ${may}` : `${name}. Change the name you act under`}
        onClick={() => setOpen(true)}
        className="flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-left text-fg-2 hover:bg-hover max-lg:justify-center max-lg:px-0"
      >
        <UserRound size={16} className="shrink-0" aria-hidden />
        <span className="min-w-0 truncate max-lg:sr-only">
          <b className="font-medium text-fg">{name}</b> <span className="text-fg-3 text-xs">{hint}</span>
        </span>
      </button>
      {open && <WhoDialog isNamed={isNamed} name={name} may={may} onClose={() => setOpen(false)} />}
    </>
  );
}

function WhoDialog({
  isNamed,
  name,
  may,
  onClose,
}: {
  isNamed: boolean;
  name: string;
  may: string;
  onClose: () => void;
}) {
  return (
    <Dialog title="Who you are" onClose={onClose}>
      <form
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        {isNamed ? (
          <p className="text-fg-2">
            You are <b className="font-semibold text-fg">{name}</b>: the name of your token. Claims, sign-offs and
            changes carry it.
          </p>
        ) : (
          <NameField />
        )}
        <p className="text-fg-2">You may do: {may}.</p>
        <div className="flex justify-end">
          <Button kind="primary" type="submit">
            Done
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
