import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { call } from '../../live/call.ts';
import { queryClient } from '../../live/query-client.ts';
import type { Overlap, RepositoryChanges } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateLabel } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EmptyState, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import type { Column } from '../../ui/table.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { QueryResult } from '../shared/query-result.tsx';
import {
  type ChangedFile,
  type ChangedTree,
  type ChangeRow,
  changeRows,
  changeText,
  isShared,
  rowsShown,
  type Shown,
  treeKey,
} from './change-rows.ts';
import { RehearsalResult, RehearseButton, useRehearsal } from './merge-rehearsal.tsx';
import { overlapAppearance } from './overlap-appearance.ts';
import { OverlapPanel } from './overlap-panel.tsx';

/** How many files of each tree are listed; overlapping ones come first. */
const mostFiles = 500;
const mostColumns = 40;

async function readChanges() {
  const [changes, overlaps] = await Promise.all([
    call('list_changes', { limit: mostFiles }),
    call('list_overlaps', {}),
  ]);
  return { repositories: changes.items, overlaps: overlaps.items };
}

/** Which files the live trees of a repository change, and where they will collide. */
export function ChangesPage() {
  const changes = useQuery({ queryKey: queryKeys.changes, queryFn: readChanges });
  const [asked, ask] = useSearchParam('repository');
  const chosen = changes.data && chooseRepository(changes.data.repositories, changes.data.overlaps, asked);
  const name = chosen?.repository ?? asked;
  useBreadcrumbs({ label: 'Changes', href: paths.changes() }, ...(name ? [{ label: name }] : []));
  return (
    <QueryResult query={changes} actions={<ButtonLink href={paths.agents}>Agents</ButtonLink>}>
      {({ repositories, overlaps }) => {
        if (!chosen) return <NothingChanges repository={asked} others={repositories} />;
        const ofChosen = overlaps.filter(({ repository }) => repository === chosen.repository);
        return <Page key={chosen.repository} changes={chosen} overlaps={ofChosen} all={repositories} onChoose={ask} />;
      }}
    </QueryResult>
  );
}

/** The requested repository, otherwise the one with the most overlaps. */
function chooseRepository(
  repositories: readonly RepositoryChanges[],
  overlaps: readonly Overlap[],
  asked: string | null,
): RepositoryChanges | undefined {
  if (asked) return repositories.find(({ repository }) => repository.toLowerCase() === asked.toLowerCase());
  const count = ({ repository }: RepositoryChanges) => overlaps.filter((one) => one.repository === repository).length;
  return [...repositories].sort((a, b) => count(b) - count(a))[0];
}

function NothingChanges({ repository, others }: { repository: string | null; others: readonly RepositoryChanges[] }) {
  return (
    <EmptyState
      isWholePage
      icon={GitCompareArrows}
      title={repository ? `No live tree in ${repository}` : 'No live working trees'}
    >
      <p>Files show up here while an agent works in a git working tree: what it changes against the default branch.</p>
      {others.length > 0 && (
        <p>
          Live now:{' '}
          {others.map((one) => (
            <Link
              key={one.repository}
              href={paths.changes(one.repository)}
              className="mr-2 rounded underline decoration-dotted"
            >
              {one.repository}
            </Link>
          ))}
        </p>
      )}
    </EmptyState>
  );
}

type PageProps = {
  changes: RepositoryChanges;
  overlaps: readonly Overlap[];
  all: readonly RepositoryChanges[];
  onChoose: (repository: string) => void;
};

function Page({ changes, overlaps, all, onChoose }: PageProps) {
  const { trees, defaultBranch, repository } = changes;
  const [word, setWord] = useSearchParam('show');
  const [path, setPath] = useSearchParam('path');
  const shown: Shown = word === 'overlaps' || word === 'behind' ? word : 'all';
  const rows = useMemo(() => changeRows(changes, overlaps), [changes, overlaps]);
  const columns = useMemo(() => columnsFor(trees, defaultBranch), [trees, defaultBranch]);
  const rehearsal = useRehearsal(repository);
  const selected = rows.find((row) => row.path === path);
  const listed = rowsShown(rows, shown);
  return (
    <>
      <PageHeader
        title={all.length > 1 ? <RepositoryChoice {...{ all, repository, onChoose }} /> : repository}
        description={`Files that ${countWithNoun(trees.length, 'live working tree')} ${trees.length === 1 ? 'changes' : 'change'} against ${defaultBranch ?? 'the default branch'}. Paths only.`}
        actions={
          <>
            <Segmented
              label="Which files"
              value={shown}
              onChange={(to) => setWord(to === 'all' ? null : to)}
              choices={[
                { value: 'all', label: `All ${rows.length}` },
                { value: 'overlaps', label: `Overlaps ${rows.filter(isShared).length}` },
                {
                  value: 'behind',
                  label: `Behind ${defaultBranch ?? ''} ${rows.filter(({ behind }) => behind).length}`,
                },
              ]}
            />
            {trees.length > 1 && <RehearseButton rehearsal={rehearsal} />}
          </>
        }
      />
      <RehearsalResult
        rehearsal={rehearsal}
        onClose={() => void queryClient.resetQueries({ queryKey: queryKeys.rehearsal })}
      />
      <Cut trees={trees} />
      <SplitView
        label="File"
        onClose={() => setPath(null)}
        aside={selected && <OverlapPanel row={selected} {...{ trees, defaultBranch }} onClose={() => setPath(null)} />}
      >
        <VirtualTable
          label={`Changed files of ${repository}`}
          rows={listed}
          keyOf={(row) => row.path}
          columns={columns}
          none={
            shown === 'all'
              ? 'No file is changed.'
              : shown === 'overlaps'
                ? 'No two live trees change one file.'
                : `No tree is behind ${defaultBranch ?? 'the default branch'}.`
          }
          selected={path}
          onSelect={setPath}
        />
      </SplitView>
    </>
  );
}

function RepositoryChoice({ all, repository, onChoose }: Pick<PageProps, 'all' | 'onChoose'> & { repository: string }) {
  return (
    <>
      <span className="sr-only">{repository}</span>
      <select
        aria-label="Repository"
        value={repository}
        onChange={(event) => onChoose(event.target.value)}
        className="h-8 max-w-[340px] rounded-md border border-edge bg-surface px-2 font-semibold text-base"
      >
        {all.map((one) => (
          <option key={one.repository}>{one.repository}</option>
        ))}
      </select>
    </>
  );
}

/** The files and columns that the page leaves out, and why. */
function Cut({ trees }: { trees: readonly ChangedTree[] }) {
  const cut = trees.filter(({ files, filesTotal }) => files.length < filesTotal);
  const truncated = trees.filter(({ changesTruncated }) => changesTruncated);
  const sentences = [
    trees.length > mostColumns && `${trees.length - mostColumns} more trees have no column; their files are listed.`,
    cut.length > 0 &&
      `Of ${countWithNoun(cut.length, 'tree')} only ${mostFiles} files are listed, those that overlap first.`,
    truncated.length > 0 &&
      `${countWithNoun(truncated.length, 'tree')} changed more than 5,000 files; the rest is not checked.`,
  ].filter((sentence) => sentence !== false);
  if (sentences.length === 0) return null;
  return (
    <div className="shrink-0 px-page pt-3">
      <Notice tone="warn">{sentences.join(' ')}</Notice>
    </div>
  );
}

function columnsFor(trees: readonly ChangedTree[], defaultBranch: string | null): Column<ChangeRow>[] {
  return [
    {
      id: 'path',
      head: 'Path',
      width: 'minmax(150px,2fr)',
      title: true,
      sort: ({ path }) => path,
      cell: ({ path }) => <PathCell path={path} />,
    },
    {
      id: 'overlap',
      head: 'Overlap',
      width: '112px',
      cell: ({ overlaps: [strongest] }) =>
        strongest && <StateLabel appearance={overlapAppearance(strongest.kind, defaultBranch)} size={12} />,
    },
    ...trees.slice(0, mostColumns).map(
      (tree): Column<ChangeRow> => ({
        id: treeKey(tree),
        head: <TreeHead tree={tree} />,
        width: 'minmax(96px,1fr)',
        labelled: true,
        cell: (row) => {
          const file = row.files.get(treeKey(tree));
          return file && <Amount file={file} row={row} tree={tree} />;
        },
      }),
    ),
    {
      id: 'default',
      head: defaultBranch ?? 'default branch',
      width: '92px',
      has: ({ behind }) => behind,
      cell: ({ behind }) => behind && <span className="text-fg-2">changed too</span>,
    },
  ];
}

const PathCell = ({ path }: { path: string }) => (
  <span className="block font-mono text-code">
    <MiddleCut text={path} />
  </span>
);

function TreeHead({ tree: { claims, agents, branch, root } }: { tree: ChangedTree }) {
  const where = branch ?? root.split('/').pop();
  return (
    <span className="block leading-[14px]" title={`${branch ?? ''} ${root}`}>
      <span className="block truncate font-semibold text-fg-2">{claims[0] ?? 'no claim'}</span>
      <span className="block truncate">{agents[0] ?? where}</span>
    </span>
  );
}

const widest = 46;

/** How much of a file a tree changes: a bar that grows with the lines, and the number. */
function Amount({ file, row, tree }: { file: ChangedFile; row: ChangeRow; tree: ChangedTree }) {
  const own = row.overlaps.find((overlap) => overlap.trees.some((one) => treeKey(one) === treeKey(tree)));
  const tone = own ? overlapAppearance(own.kind, null).tone : 'active';
  const width = Math.min(widest, 4 + 4 * Math.log2(1 + (file.lines ?? 0)));
  return (
    <span className={`tone-${tone} inline-flex items-center gap-1.5`} title={changeText(file, 'line')}>
      <span aria-hidden className="h-2 shrink-0 rounded-sm bg-tone-text" style={{ width }} />
      <span className="font-mono text-code text-fg-2">{changeText(file)}</span>
    </span>
  );
}
