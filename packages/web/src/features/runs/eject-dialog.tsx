import { useState } from 'react';
import { call } from '../../live/call.ts';
import type { RunSummary } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { countWithNoun, formatCount } from '../../ui/format-count.ts';
import { showToast } from '../../ui/toasts.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { readAgain, staleAfter } from '../shared/stale-queries.ts';
import { useAction } from '../shared/use-action.ts';

export function EjectDialog({ run, onClose, onDone }: { run: RunSummary; onClose: () => void; onDone: () => void }) {
  const { act, busy, problem } = useAction();
  const eject = () =>
    act(async () => {
      await call('eject_run', { runId: run.runId });
      await readAgain(staleAfter.ejection([run.runId]));
      showToast(`${run.suite} is ejected; its archive is kept`);
      onDone();
    });
  return (
    <Dialog title={`Eject ${run.suite}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          The run leaves the board and its archive moves to the ejected folder, where only the age policy deletes it.
          What it proved stays proven.
        </p>
        <DialogFooter busy={busy} problem={problem} label="Eject" onClose={onClose} onConfirm={eject} />
      </div>
    </Dialog>
  );
}

type ManyProps = { count: { all: number; live: number }; onClose: () => void };

/** Ejects the runs older than a chosen age, and reports how many were ejected. */
export function EjectManyDialog({ count: { all, live }, onClose }: ManyProps) {
  const { act, busy, problem } = useAction();
  const [age, setAge] = useState('7d');
  const eject = () =>
    act(async () => {
      const { count, runIds } = await call('eject_runs', { olderThan: age === 'all' ? undefined : age });
      await readAgain(staleAfter.ejection(runIds));
      showToast(count === 0 ? 'Nothing was old enough' : `${count} ${count === 1 ? 'run is' : 'runs are'} ejected`);
      onClose();
    });
  return (
    <Dialog title="Eject old runs" onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          {formatCount(all - live)} of {countWithNoun(all, 'run')} have ended. A live run is never taken. Archives move
          to the ejected folder; nothing is deleted now.
        </p>
        <Select label="Started more than" value={age} onChange={(event) => setAge(event.target.value)}>
          <option value="1h">an hour ago</option>
          <option value="1d">a day ago</option>
          <option value="7d">a week ago</option>
          <option value="all">at any time: all ended runs</option>
        </Select>
        <DialogFooter busy={busy} problem={problem} label="Eject" onClose={onClose} onConfirm={eject} />
      </div>
    </Dialog>
  );
}
