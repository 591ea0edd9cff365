import { ScrollText } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { AuditEntry } from '../../live/wire.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { formatDateTime } from '../../ui/time.tsx';
import { QueryResult } from '../shared/query-result.tsx';
import { useAudit } from './access-queries.ts';
import { auditLink } from './audit-link.ts';
import { FactsTable, wrapped } from './facts-table.tsx';

export function AuditPage() {
  useBreadcrumbs({ label: 'Audit' });
  const [name, setName] = useState('');
  const [denied, setDenied] = useState(false);
  const audit = useAudit({ name: useDeferredValue(name.trim()), denied });
  return (
    <>
      <PageHeader
        title="Audit"
        description="Every write and every denial on this host, newest first. Contents are never recorded."
        actions={
          <>
            <Button kind={denied ? 'on' : 'plain'} aria-pressed={denied} onClick={() => setDenied(!denied)}>
              Denied only
            </Button>
            <Filter value={name} onChange={setName} label="Name of a token" />
          </>
        }
      />
      <PageBody>
        <QueryResult query={audit}>
          {({ items, next }) =>
            items.length === 0 ? (
              <EmptyState
                icon={ScrollText}
                title={denied || name.trim() !== '' ? 'No matching entries' : 'No entries yet'}
              >
                <p>Writes and denials appear here as they happen.</p>
              </EmptyState>
            ) : (
              <div className="flex flex-col gap-3">
                <FactsTable label="Audit" headings={headings} rows={items.map(rowOf)} />
                {next !== null && (
                  <p className="text-fg-3">
                    The newest {items.length}. Older ones:{' '}
                    <code className="font-mono">signalbox audit --cursor {next}</code>
                  </p>
                )}
              </div>
            )
          }
        </QueryResult>
      </PageBody>
    </>
  );
}

function About({ command, about }: { command: string; about: string | null }) {
  const href = auditLink(command, about);
  if (href === null) return about;
  return (
    <Link href={href} className="rounded underline decoration-dotted">
      {about}
    </Link>
  );
}

const headings = ['When', 'Who', 'From', 'Through', 'What', 'About', 'Outcome'];

const rowOf = ({ at, name, address, door, command, ref, outcome }: AuditEntry, index: number) => ({
  key: `${at} ${index}`,
  cells: [
    formatDateTime(at),
    <b key="name">{name}</b>,
    address,
    door,
    <code key="command" className="font-mono text-code">
      {command}
    </code>,
    <span key="about" className={wrapped}>
      <About command={command} about={ref} />
    </span>,
    <span key="outcome" className={outcome === 'done' ? 'text-fg-3' : 'tone-fail text-tone-text'}>
      {outcome}
    </span>,
  ],
});
