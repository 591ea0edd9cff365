import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleHelp, GitMerge, X } from 'lucide-react';
import { call } from '../../live/call.ts';
import { asProblem } from '../../live/problem.ts';
import type { MergeRehearsal } from '../../live/wire.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { Notice } from '../../ui/notice.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { treeName } from './change-rows.ts';

/** Runs git for each pair, so it runs only on request. */
export const useRehearsal = (repository: string) =>
  useQuery({
    queryKey: [...queryKeys.rehearsal, repository],
    queryFn: () => call('rehearse_merges', { repository }),
    enabled: false,
    retry: false,
  });

type Rehearsal = ReturnType<typeof useRehearsal>;

export const RehearseButton = ({ rehearsal }: { rehearsal: Rehearsal }) => (
  <Button icon={GitMerge} disabled={rehearsal.isFetching} onClick={() => void rehearsal.refetch()}>
    {rehearsal.isFetching ? 'Rehearsing…' : 'Rehearse the merge'}
  </Button>
);

/** Which pairs of trees would conflict in which files. */
export function RehearsalResult({ rehearsal, onClose }: { rehearsal: Rehearsal; onClose: () => void }) {
  const { data, error } = rehearsal;
  if (error) {
    return (
      <Frame onClose={onClose}>
        <Notice tone="fail" role="alert" title="The merge could not be rehearsed.">
          {asProblem(error).message}
        </Notice>
      </Frame>
    );
  }
  if (!data) return null;
  return (
    <Frame onClose={onClose}>
      {data.items.length === 0 && (
        <Notice tone="done" icon={CircleCheck}>
          No two live trees overlap, so there is nothing to rehearse.
        </Notice>
      )}
      {data.items.map((item) => (
        <Pair key={item.trees.map(({ host, root }) => `${host} ${root}`).join()} item={item} />
      ))}
      {data.left > 0 && <p className="text-fg-3">{countWithNoun(data.left, 'more pair')} not rehearsed.</p>}
    </Frame>
  );
}

const Frame = ({ children, onClose }: { children: React.ReactNode; onClose: () => void }) => (
  <section aria-label="Merge rehearsal" className="flex max-h-[40%] shrink-0 gap-2 overflow-y-auto px-page pt-3">
    <div className="flex min-w-0 flex-1 flex-col gap-2">{children}</div>
    <IconButton icon={X} label="Close the rehearsal" onClick={onClose} />
  </section>
);

const appearanceOf = {
  clean: { tone: 'done', icon: CircleCheck },
  conflicts: { tone: 'fail', icon: X },
  unknown: { tone: 'indet', icon: CircleHelp },
} as const;

function Pair({ item: { trees, result, reason, conflicts } }: { item: MergeRehearsal }) {
  const names = trees.map(treeName).join(' and ');
  const open = trees.filter(({ uncommitted }) => uncommitted > 0);
  const title = {
    clean: `The commits of ${names} merge without a conflict.`,
    conflicts: `${names} conflict in ${countWithNoun(conflicts.length, 'file')}.`,
    unknown: `${names}: unknown.`,
  }[result];
  return (
    <Notice {...appearanceOf[result === 'clean' && open.length > 0 ? 'unknown' : result]} title={title}>
      {reason && `${reason}. `}
      {conflicts.length > 0 && <span className="font-mono text-code">{conflicts.join(', ')} </span>}
      {open.length > 0 &&
        `Not committed, so left out: ${open.map((tree) => `${countWithNoun(tree.uncommitted, 'file')} of ${treeName(tree)}`).join(', ')}.`}
    </Notice>
  );
}
