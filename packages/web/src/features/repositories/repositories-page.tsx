import { FolderGit2, MessageSquareText, Search, StickyNote } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { Repository } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Filter } from '../../ui/filter.tsx';
import { Chip, EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
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
  return (
    <>
      <PageHeader
        title="Repositories"
        description="What each publishes and consumes, and the notes of agents."
        actions={<Filter value={text} onChange={setText} label="Search notes and memory" />}
      />
      <PageBody>
        {text.trim() === '' ? (
          <QueryResult query={repositories}>
            {(list) => (list.length === 0 ? <None /> : <Cards list={list} />)}
          </QueryResult>
        ) : (
          <Memory text={text.trim()} />
        )}
      </PageBody>
    </>
  );
}

function Cards({ list }: { list: readonly Repository[] }) {
  const rows = useListKeys<HTMLUListElement>();
  return (
    <ul ref={rows} className="grid grid-cols-[repeat(auto-fill,minmax(min(340px,100%),1fr))] gap-2.5">
      {list.map((repository) => (
        <li key={`${repository.owner}/${repository.name}`} className="flex">
          <Link
            href={paths.repository(repository.owner, repository.name)}
            className="panel flex min-w-0 flex-1 flex-col gap-2.5 px-4 py-3.5 transition-colors hover:border-line-strong hover:bg-raised"
          >
            <span className="flex items-center gap-2">
              <FolderGit2 size={15} className="shrink-0 text-fg-3" aria-hidden />
              <span className="truncate font-semibold text-heading">
                <span className="text-fg-3">{repository.owner}/</span>
                {repository.name}
              </span>
              {repository.registeredAt === null && (
                <span className="ml-auto">
                  <Chip title="Named by a plan, a tree or a note; not registered">seen</Chip>
                </span>
              )}
            </span>
            <span className="line-clamp-2 min-h-[38px] text-fg-2">
              {repository.description ?? <span className="text-fg-3">No description.</span>}
            </span>
            <span className="flex flex-wrap gap-x-4 gap-y-1 text-fg-3 text-sm">
              <Count value={repository.openNodes} word="open node" />
              <Count value={repository.noteCount} word="note" />
              <Count value={repository.trees.length} word="tree" />
              <Count value={repository.publishes.length} word="package" />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const Count = ({ value, word }: { value: number; word: string }) => (
  <span>
    <b className="font-semibold text-fg-2">{value}</b> {word}
    {value === 1 ? '' : 's'}
  </span>
);

/** Notes and claim notes, best first. */
function Memory({ text }: { text: string }) {
  const q = useDeferredValue(text);
  const found = useMemorySearch(q);
  const rows = useListKeys<HTMLUListElement>();
  return (
    <QueryResult query={found}>
      {(list) =>
        list.length === 0 ? (
          <EmptyState icon={Search} title={`No results for “${q}”`}>
            <p>The search covers notes on repositories and notes of claims. Try fewer or other terms.</p>
          </EmptyState>
        ) : (
          <ul ref={rows} className="flex max-w-[860px] flex-col gap-2">
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
        title="Let the agents of a repository register it and keep notes: run this in it"
        text={commands.connect}
      />
      <TeachingCommand title="Or connect Claude Code alone" text={commands.mcp} />
      <DemoCommand />
    </EmptyState>
  );
}
