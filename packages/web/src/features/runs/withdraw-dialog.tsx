import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../live/call.ts';
import type { RunSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { showToast } from '../../ui/toasts.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { readAgain, staleAfter } from '../shared/stale-queries.ts';
import { useAction } from '../shared/use-action.ts';

type WithdrawDialogProps = { run: RunSummary; onClose: () => void; onDone: () => void };

/** Lists the nodes that would no longer be done, before anything is withdrawn. */
export function WithdrawDialog({ run, onClose, onDone }: WithdrawDialogProps) {
  const { act, busy, problem } = useAction();
  const { runId } = run;
  const asked = useQuery({
    queryKey: [...queryKeys.run(runId), 'withdrawal'],
    queryFn: () => call('eject_run', { runId, withdraw: true, dryRun: true }),
    staleTime: 0,
    retry: false,
  });
  const withdraw = () =>
    act(async () => {
      const { reopened = [] } = await call('eject_run', { runId, withdraw: true });
      await readAgain([
        ...staleAfter.ejection([runId]),
        ...reopened.flatMap((ref) => staleAfter.planChange(planOf(ref))),
      ]);
      showToast(`The proof is withdrawn; ${countWithNoun(reopened.length, 'node')} reopened`);
      onDone();
    });
  const refs = asked.data?.reopened;
  return (
    <Dialog title={`Withdraw the proof of ${run.suite}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          The nodes that this run proved are judged again by the runs that are left, and the run leaves the board. The
          history of each plan names who withdrew it.
        </p>
        {refs && <Reopened refs={refs} />}
        {asked.isPending && <p className="text-fg-3">Looking for the nodes that rely on it…</p>}
        <DialogFooter
          busy={busy || asked.isPending}
          problem={problem}
          label="Withdraw"
          onClose={onClose}
          onConfirm={withdraw}
        />
      </div>
    </Dialog>
  );
}

function Reopened({ refs }: { refs: readonly string[] }) {
  if (refs.length === 0) return <p>No node is reopened.</p>;
  return (
    <div>
      <p>{refs.length === 1 ? 'This node is no longer done:' : `These ${refs.length} nodes are no longer done:`}</p>
      <ul className="mt-1 max-h-60 list-disc overflow-auto pl-5">
        {refs.map((ref) => (
          <li key={ref}>
            <Link
              href={paths.node(planOf(ref), ref.slice(planOf(ref).length + 1))}
              className="underline decoration-dotted"
            >
              {ref}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const planOf = (ref: string): string => ref.slice(0, ref.indexOf('/'));
