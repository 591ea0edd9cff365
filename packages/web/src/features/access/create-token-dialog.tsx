import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt, faultUnder } from '../../live/problem.ts';
import { queryClient } from '../../live/query-client.ts';
import type { Scope } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { useAction } from '../shared/use-action.ts';

const scopeTexts: readonly (readonly [Scope, string])[] = [
  ['read', 'read: see everything'],
  ['work', 'work: claim, report, release, take notes (an agent)'],
  ['author', 'author: change plans and sign off (a person)'],
  ['publish', 'publish: send test runs and event models (CI)'],
  ['admin', 'admin: everything, tokens and the audit too'],
];

const expiries: readonly (readonly [string, string])[] = [
  ['90d', 'in 90 days'],
  ['30d', 'in 30 days'],
  ['365d', 'in a year'],
  ['', 'never'],
];

type Created = { name: string; token: string };

/** Creates a named token. Its secret is shown once and stored nowhere. */
export function CreateTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created | null>(null);
  return created ? (
    <SecretDialog created={created} onClose={onClose} />
  ) : (
    <CreateForm onClose={onClose} onCreated={setCreated} />
  );
}

function CreateForm({ onClose, onCreated }: { onClose: () => void; onCreated: (created: Created) => void }) {
  const { act, busy, problem } = useAction();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('work');
  const [expires, setExpires] = useState('90d');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      const created = await call('create_token', { name, scopes: [scope], ...(expires && { expires }) });
      await queryClient.invalidateQueries({ queryKey: queryKeys.tokens });
      onCreated(created);
    });
  };
  return (
    <Dialog title="New token" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <TextField
          label="Name"
          required
          maxLength={64}
          hint="Lower case letters, digits, dots, dashes: ada, ci. Claims and sign-offs made with it carry this name."
          value={name}
          fault={faultAt(problem, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="grid grid-cols-[2fr_1fr] gap-3 max-sm:grid-cols-1">
          <Select
            label="May"
            value={scope}
            fault={faultUnder(problem, 'scopes')}
            onChange={(event) => setScope(event.target.value as Scope)}
          >
            {scopeTexts.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
          <Select
            label="Expires"
            value={expires}
            fault={faultAt(problem, 'expires')}
            onChange={(event) => setExpires(event.target.value)}
          >
            {expiries.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
        </div>
        <DialogFooter {...{ busy, problem, onClose }} label="Create token" />
      </form>
    </Dialog>
  );
}

function SecretDialog({ created, onClose }: { created: Created; onClose: () => void }) {
  return (
    <Dialog title={`Token ${created.name}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <Notice tone="warn" title="Shown once.">
          Copy it now; Signalbox keeps only its hash. Set it as SIGNALBOX_TOKEN where it is used.
        </Notice>
        <Command text={created.token} what="token" />
        <div className="flex justify-end">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
