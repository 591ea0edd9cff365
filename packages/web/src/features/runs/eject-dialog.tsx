import { useState } from 'react';
import { ask, at } from '../../live/ask.ts';
import { client } from '../../live/client.ts';
import { Confirm } from '../../live/confirm.tsx';
import { keys } from '../../live/keys.ts';
import { useAct } from '../../live/use-act.ts';
import type { RunSummary } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';

export function EjectDialog({ run, onClose, onDone }: { run: RunSummary; onClose: () => void; onDone: () => void }) {
  const { act, busy, problem } = useAct();
  const eject = () =>
    act(async () => {
      await ask('DELETE', at`/api/runs/${run.runId}`);
      await client.invalidateQueries({ queryKey: keys.runs });
      say(`${run.suite} is ejected; its archive is kept`);
      onDone();
    });
  return (
    <Dialog title={`Eject ${run.suite}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          The run leaves the board and its archive moves to the ejected folder, where only the age policy deletes it.
          What it proved stays proven.
        </p>
        <Confirm busy={busy} problem={problem} label="Eject" onClose={onClose} onConfirm={eject} />
      </div>
    </Dialog>
  );
}

/** Ejects what is older than a chosen age, and tells what was really taken. */
export function EjectManyDialog({ runs, onClose }: { runs: readonly RunSummary[]; onClose: () => void }) {
  const { act, busy, problem } = useAct();
  const [age, setAge] = useState('7d');
  const ended = runs.filter(({ state }) => state !== 'running').length;
  const eject = () =>
    act(async () => {
      const { count } = await ask<{ count: number; runIds: string[] }>('DELETE', '/api/runs', {
        query: { olderThan: age === 'all' ? undefined : age },
      });
      await client.invalidateQueries({ queryKey: keys.runs });
      say(count === 0 ? 'Nothing was old enough' : `${count} ${count === 1 ? 'run is' : 'runs are'} ejected`);
      onClose();
    });
  return (
    <Dialog title="Eject old runs" onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          {ended} of {runs.length} runs have ended. A live run is never taken. Archives move to the ejected folder;
          nothing is deleted now.
        </p>
        <Select label="Started more than" value={age} onChange={(event) => setAge(event.target.value)}>
          <option value="1h">an hour ago</option>
          <option value="1d">a day ago</option>
          <option value="7d">a week ago</option>
          <option value="all">any time ago: all that have ended</option>
        </Select>
        <Confirm busy={busy} problem={problem} label="Eject" onClose={onClose} onConfirm={eject} />
      </div>
    </Dialog>
  );
}
