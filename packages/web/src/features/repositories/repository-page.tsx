import { ArrowRight, FolderGit2, GitBranch, Server, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Note, RepositoryDetail } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Fact, Section } from '../../ui/facts.tsx';
import { Chip, PageHeader } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { useMay } from '../shared/me.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { RegisterDialog } from './register-dialog.tsx';
import { useRepository } from './repository-queries.ts';

export function RepositoryPage({ owner, name }: { owner: string; name: string }) {
  useBreadcrumbs({ label: 'Repositories', href: paths.repositories }, { label: `${owner}/${name}` });
  const repository = useRepository(owner, name);
  return (
    <QueryResult query={repository} actions={<ButtonLink href={paths.repositories}>All repositories</ButtonLink>}>
      {(detail) => <Page repository={detail} />}
    </QueryResult>
  );
}

function Page({ repository }: { repository: RepositoryDetail }) {
  const current = repository.notes.filter(({ supersededBy }) => supersededBy === null);
  const rows = useListKeys<HTMLDivElement>();
  const [open, setOpen] = useState<'register' | 'note' | null>(null);
  const mayAuthor = useMay('author');
  const mayWork = useMay('work');
  const old = repository.notes.filter(({ supersededBy }) => supersededBy !== null);
  return (
    <>
      <PageHeader
        title={`${repository.owner}/${repository.name}`}
        besideTitle={repository.defaultBranch && <Chip icon={GitBranch}>{repository.defaultBranch}</Chip>}
        description={repository.description}
        actions={
          <>
            <Button icon={FolderGit2} {...mayAuthor} onClick={() => setOpen('register')}>
              {repository.registeredAt === null ? 'Register' : 'Edit'}
            </Button>
            <Button icon={StickyNote} kind="primary" {...mayWork} onClick={() => setOpen('note')}>
              Add a note
            </Button>
          </>
        }
      />
      {open === 'register' && <RegisterDialog repository={repository} onClose={() => setOpen(null)} />}
      {open === 'note' && <NoteDialog repository={repository} onClose={() => setOpen(null)} />}
      <div
        ref={rows}
        className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_340px] overflow-y-auto max-lg:grid-cols-1 max-md:flex-none max-md:overflow-visible"
      >
        <div className="flex flex-col gap-6 p-page">
          <Section level={2} title={`Notes (${current.length})`}>
            {current.length === 0 && (
              <p className="text-fg-3">No notes yet. Agents leave notes with note_repository, people here.</p>
            )}
            <Notes notes={current} />
          </Section>
          {old.length > 0 && (
            <details>
              <summary className="w-fit cursor-pointer rounded py-1 text-fg-3 hover:text-fg">
                {old.length} superseded
              </summary>
              <div className="mt-2 opacity-75">
                <Notes notes={old} />
              </div>
            </details>
          )}
          {repository.suggestions.length > 0 && (
            <Section level={2} title="Suggested dependencies">
              {repository.suggestions.map(({ from, to, why }) => (
                <p key={from + to} className="panel flex flex-wrap items-center gap-2 px-3 py-2">
                  <code className="font-mono text-code">{from}</code>
                  <ArrowRight size={13} aria-label="before" role="img" />
                  <code className="font-mono text-code">{to}</code>
                  <span className="text-fg-3">{why}</span>
                </p>
              ))}
            </Section>
          )}
        </div>
        <RepositoryFacts repository={repository} />
      </div>
    </>
  );
}

function Notes({ notes }: { notes: readonly Note[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {notes.map((note) => (
        <li key={note.id} id={note.id} data-row tabIndex={-1} className="panel flex flex-col gap-1 px-4 py-3">
          <span className="flex items-center gap-2 text-fg-3 text-sm">
            <StickyNote size={14} aria-hidden />
            {note.topic && <Chip>{note.topic}</Chip>}
            <span className="ml-auto">
              {note.by}, <TimeAgo at={note.at} suffix=" ago" />
            </span>
          </span>
          <p className="whitespace-pre-wrap break-words">{note.text}</p>
        </li>
      ))}
    </ul>
  );
}

function RepositoryFacts({ repository }: { repository: RepositoryDetail }) {
  const severalHosts = new Set(repository.workingTrees.map(({ host }) => host)).size > 1;
  const packages = (list: RepositoryDetail['publishes'], none: string) =>
    list.length === 0 ? (
      <p className="text-fg-3">{none}</p>
    ) : (
      <ul className="flex flex-wrap gap-1.5">
        {list.map((one) => (
          <li key={one.registry + one.name} className="max-w-full">
            <Chip title={one.registry}>
              {one.name} {one.version ?? ''}
            </Chip>
          </li>
        ))}
      </ul>
    );
  return (
    <aside aria-label="About" className="flex flex-col gap-5 border-line border-l bg-surface p-4">
      <Section level={2} title="About">
        {repository.url && /^https?:/.test(repository.url) && (
          <Fact name="Address">
            <a href={repository.url} target="_blank" rel="noreferrer" className="underline decoration-dotted">
              {repository.url}
            </a>
          </Fact>
        )}
        <Fact name="Registered">
          {repository.registeredAt === null ? 'no' : <TimeAgo at={repository.registeredAt} suffix=" ago" />}
        </Fact>
        <Fact name="Open nodes">{repository.openNodes}</Fact>
      </Section>
      <Section level={2} title="Plans that touch it">
        {repository.plans.length === 0 && <p className="text-fg-3">None.</p>}
        {repository.plans.map((plan) => (
          <Link key={plan} data-row href={paths.plan(plan)} className="w-fit rounded underline decoration-dotted">
            {plan}
          </Link>
        ))}
      </Section>
      <Section level={2} title="Publishes">
        {packages(repository.publishes, 'Nothing declared.')}
      </Section>
      <Section level={2} title="Consumes">
        {packages(repository.consumes, 'Nothing declared.')}
      </Section>
      <Section level={2} title="Suites">
        {repository.suites.length === 0 && <p className="text-fg-3">Nothing declared.</p>}
        {repository.suites.map(({ suite, tag }) => (
          <Fact key={suite + tag} name={suite}>
            {tag ?? ''}
          </Fact>
        ))}
      </Section>
      <Section level={2} title="Clones that prove commits">
        {repository.paths.length === 0 && <p className="text-fg-3">None registered.</p>}
        {repository.paths.map((path) => (
          <code key={path} className="break-all font-mono text-code text-fg-2">
            {path}
          </code>
        ))}
      </Section>
      <Section level={2} title="Working trees">
        {repository.workingTrees.length === 0 && <p className="text-fg-3">None seen.</p>}
        {repository.workingTrees.map(({ host, root }) => (
          <span key={`${host} ${root}`} className="flex flex-wrap items-center gap-1.5">
            <code className="break-all font-mono text-code text-fg-2">{root}</code>
            {severalHosts && <Chip icon={Server}>{host}</Chip>}
          </span>
        ))}
      </Section>
    </aside>
  );
}
