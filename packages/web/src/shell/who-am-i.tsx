import { LogOut, UserRound } from 'lucide-react';
import { useState } from 'react';
import { NameField, useActingAs } from '../features/shared/acting-as.tsx';
import { useMe } from '../features/shared/me.ts';
import { call } from '../live/call.ts';
import type { Me } from '../live/wire.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatMoment } from '../ui/time.tsx';

/** The name under which this browser acts, and its scopes. The name is set once and used by every action. */
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
        className="flex min-h-8 w-full shrink-0 items-center gap-2.5 rounded-md px-2 text-left text-fg-2 hover:bg-hover max-lg:no-menu:flex-col max-lg:no-menu:gap-0.5 max-lg:no-menu:px-0 max-lg:no-menu:py-1 max-lg:no-menu:text-tiny"
      >
        <UserRound size={16} className="shrink-0" aria-hidden />
        <span className="min-w-0 max-w-full truncate">
          <b className="font-medium text-fg">{name}</b>{' '}
          <span className={`text-fg-3 text-xs max-lg:no-menu:hidden ${me.signedIn ? 'block truncate' : ''}`}>
            {hint}
          </span>
        </span>
      </button>
      {open && <WhoDialog me={me} name={name} may={may} onClose={() => setOpen(false)} />}
    </>
  );
}

type WhoProps = { me: Me; name: string; may: string; onClose: () => void };

function WhoDialog({ me, name, may, onClose }: WhoProps) {
  return (
    <Dialog title="Who you are" onClose={onClose}>
      <form
        className="flex flex-col gap-3.5"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        {me.name === null ? (
          <NameField />
        ) : (
          <p className="text-fg-2">
            You are <b className="break-all font-semibold text-fg">{name}</b>
            {me.signedIn ? `, signed in at ${me.signedIn.provider}` : ': the name of your token'}. Claims, sign-offs and
            changes carry this name.
          </p>
        )}
        <p className="text-fg-2">{me.scopes.includes('admin') ? 'You may do everything.' : `Your scopes: ${may}.`}</p>
        {me.signedIn && <SignedInFacts {...me.signedIn} />}
        <div className="flex justify-between">
          {me.tokenAsked ? (
            <Button type="button" icon={LogOut} onClick={signOut}>
              Sign out
            </Button>
          ) : (
            <span />
          )}
          <Button kind="primary" type="submit">
            Done
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function SignedInFacts({ provider, until, uncheckedSince }: NonNullable<Me['signedIn']>) {
  return (
    <>
      <p className="text-fg-2">You stay signed in until {formatMoment(until)}.</p>
      {uncheckedSince !== null && (
        <Notice tone="warn">
          {provider} does not answer. What you may do was last checked at {formatMoment(uncheckedSince)}.
        </Notice>
      )}
    </>
  );
}

/** Signs out here, and at the provider if it supports that. */
async function signOut(): Promise<void> {
  const { next } = await call('logout', {});
  location.assign(next ?? '/');
}
