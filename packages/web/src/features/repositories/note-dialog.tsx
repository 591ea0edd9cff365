import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt } from '../../live/problem.ts';
import { queryClient } from '../../live/query-client.ts';
import type { RepositoryDetail } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { useAction } from '../shared/use-action.ts';

/** Leaves a note for those who work in the repository next. */
export function NoteDialog({ repository, onClose }: { repository: RepositoryDetail; onClose: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [text, setText] = useState('');
  const [topic, setTopic] = useState('');
  const { owner, name } = repository;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await call('note_repository', { owner, name, text, ...(topic && { topic }), by: me || undefined });
      await queryClient.invalidateQueries({ queryKey: queryKeys.repositories });
      showToast('Noted');
      onClose();
    });
  };
  return (
    <Dialog title={`Note on ${owner}/${name}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <TextArea
          label="Note"
          rows={5}
          autoFocus
          required
          hint="Agents find it with search_notes, people here."
          value={text}
          fault={faultAt(problem, 'text')}
          onChange={(event) => setText(event.target.value)}
        />
        <TextField
          label="Topic"
          placeholder="build"
          value={topic}
          fault={faultAt(problem, 'topic')}
          onChange={(event) => setTopic(event.target.value)}
        />
        <ActingAsField />
        <DialogFooter {...{ busy, problem, onClose }} label="Add a note" />
      </form>
    </Dialog>
  );
}
