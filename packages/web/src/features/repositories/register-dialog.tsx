import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt, faultUnder } from '../../live/problem.ts';
import { queryClient } from '../../live/query-client.ts';
import type { RepositoryDetail } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { useAction } from '../shared/use-action.ts';

/** The description of a repository, and the paths of its clones, which prove commits and dependencies. */
export function RegisterDialog({ repository, onClose }: { repository: RepositoryDetail; onClose: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const { owner, name } = repository;
  const [description, setDescription] = useState(repository.description ?? '');
  const [defaultBranch, setDefaultBranch] = useState(repository.defaultBranch ?? '');
  const [clones, setClones] = useState(repository.paths.join('\n'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const paths = clones.split('\n').map((line) => line.trim());
    void act(async () => {
      await call('register_repository', {
        owner,
        name,
        description: description || null,
        defaultBranch: defaultBranch || null,
        paths: paths.filter(Boolean),
        by: me || undefined,
      });
      await queryClient.invalidateQueries({ queryKey: queryKeys.repositories });
      showToast(`${owner}/${name} is registered`);
      onClose();
    });
  };
  return (
    <Dialog title={`Register ${owner}/${name}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <TextField
          label="Description"
          autoFocus
          value={description}
          fault={faultAt(problem, 'description')}
          onChange={(event) => setDescription(event.target.value)}
        />
        <TextField
          label="Default branch"
          placeholder="as its clone says"
          value={defaultBranch}
          fault={faultAt(problem, 'defaultBranch')}
          onChange={(event) => setDefaultBranch(event.target.value)}
        />
        <TextArea
          label="Local clones"
          rows={3}
          hint="One absolute path a line, on any host of the team. They prove commits and dependencies."
          placeholder="/home/ada/shop"
          value={clones}
          fault={faultUnder(problem, 'paths')}
          onChange={(event) => setClones(event.target.value)}
        />
        <ActingAsField />
        <DialogFooter
          {...{ busy, problem, onClose }}
          members={['description', 'defaultBranch', 'paths']}
          label="Register"
        />
      </form>
    </Dialog>
  );
}
