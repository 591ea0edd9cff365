import { FolderGit2, MessageSquareText, Search, StickyNote } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Repository } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Filter } from '../../ui/filter.tsx';
import { Chip, EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { type Column, LinkTable, useTable } from '../../ui/table.tsx';
import { orderRows } from '../../ui/table-order.ts';
import { TimeAgo } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { DemoCommand } from '../shared/demo-command.tsx';
import { useCommands } from '../shared/pasted-commands.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { TeachingCommand } from '../shared/teaching-command.tsx';
import { useMemorySearch, useRepositories } from './repository-queries.ts';

export function RepositoriesPage() {
  useBreadcrumbs({ label: 'Repositories' });
  const [text, setText] = useState('');
  const repositories = useRepositories();
  // One list of rows for all key handlers, so that J has a single meaning.
  const rows = useListKeys<HTMLDivElement>();
  return (
    <>
      <PageHeader
        title="Repositories"
        description="What each publishes and consumes, and the notes of agents."
        actions={<Filter value={text} onChange={setText} label="Search repositories and notes" />}
      />
      <PageBody>
        <div ref={rows}>
          <QueryResult query={repositories}>
            {(list) => (list.length === 0 ? <None /> : <Repositories list={list} text={text.trim()} />)}
          </QueryResult>
          {text.trim() !== '' && <Memory text={text.trim()} />}
        </div>
      </PageBody>
    </>
  );
}

const nameOf = ({ owner, name }: Repository): string => `${owner}/${name}`;

const countColumn = (id: string, head: string, of: (repository: Repository) => number): Column<Repository> => ({
  id,
  head,
  width: '92px',
  right: true,
  sort: of,
  descendingFirst: true,
  has: (repository) => of(repository) > 0,
  labelled: true,
  cell: (repository) => of(repository) || null,
});

const columns: readonly Column<Repository>[] = [
  { id: 'name', head: 'Repository', width: 'minmax(180px,1fr)', sort: nameOf, cell: nameOf },
  {
    id: 'description',
    head: 'Description',
    width: 'minmax(0,2fr)',
    sort: ({ description }) => description,
    has: ({ description }) => description !== null,
    cell: ({ description }) => description && <span className="text-fg-2">{description}</span>,
  },
  countColumn('nodes', 'Open nodes', ({ openNodes }) => openNodes),
  countColumn('notes', 'Notes', ({ noteCount }) => noteCount),
  countColumn('trees', 'Trees', ({ trees }) => trees.length),
  countColumn('packages', 'Packages', ({ publishes }) => publishes.length),
];

const byName = { column: 'name', descending: false };

/** The repositories whose name or description contains the text; all if it is empty. */
function Repositories({ list, text }: { list: readonly Repository[]; text: string }) {
  const shown = useMemo(() => {
    const wanted = text.toLowerCase();
    const matching = list.filter((one) => `${nameOf(one)} ${one.description ?? ''}`.toLowerCase().includes(wanted));
    return orderRows(matching, columns, byName);
  }, [list, text]);
  const table = useTable('repositories', shown, columns);
  if (shown.length === 0) return null;
  return (
    <div className="panel mb-3 overflow-hidden">
      <LinkTable
        label="Repositories"
        table={table}
        keyOf={nameOf}
        hrefOf={({ owner, name }) => paths.repository(owner, name)}
        linkColumn="name"
      />
    </div>
  );
}

/** Notes and claim notes, best first. */
function Memory({ text }: { text: string }) {
  const q = useDeferredValue(text);
  const found = useMemorySearch(q);
  return (
    <QueryResult query={found}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState icon={Search} title={`No results for “${q}”`}>
            <p>The search covers notes on repositories and notes of claims. Try fewer or other terms.</p>
          </EmptyState>
        ) : (
          <ul className="flex max-w-[860px] flex-col gap-2">
            {list.map((hit) => (
              <li
                key={`${hit.kind}${hit.id ?? ''}${hit.ref ?? ''}${hit.at}`}
                className={`panel flex flex-col gap-1 px-4 py-3 ${hit.supersededBy ? 'opacity-70' : ''}`}
              >
                <span className="flex flex-wrap items-center gap-2 text-fg-3 text-sm">
                  {hit.kind === 'note' ? (
                    <StickyNote size={14} aria-hidden />
                  ) : (
                    <MessageSquareText size={14} aria-hidden />
                  )}
                  {hit.ref ? (
                    <Link
                      data-row
                      href={paths.nodeRef(hit.ref)}
                      className="rounded font-medium text-fg hover:underline"
                    >
                      {hit.ref}
                    </Link>
                  ) : (
                    hit.repository && (
                      <Link
                        data-row
                        href={paths.repositoryNamed(hit.repository)}
                        className="rounded font-medium text-fg hover:underline"
                      >
                        {hit.repository}
                      </Link>
                    )
                  )}
                  {hit.topic && <Chip>{hit.topic}</Chip>}
                  {hit.supersededBy && <Chip>superseded</Chip>}
                  <span className="ml-auto">
                    {hit.by}, <TimeAgo at={hit.at} suffix=" ago" />
                  </span>
                </span>
                <p className="whitespace-pre-wrap break-words">{hit.text}</p>
              </li>
            ))}
          </ul>
        )
      }
    </QueryResult>
  );
}

function None() {
  const commands = useCommands();
  return (
    <EmptyState icon={FolderGit2} title="No repositories yet">
      <p>
        A repository appears when a plan node names it, when an agent works in it, or when one registers it and leaves
        notes for those who come after.
      </p>
      <TeachingCommand
        title="Run this in a repository so that its agents can register it and keep notes"
        text={commands.connect}
      />
      <TeachingCommand title="Or connect Claude Code alone" text={commands.mcp} />
      <DemoCommand />
    </EmptyState>
  );
}
