import { Link } from 'wouter';
import type { SessionDetail } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateLabel } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact, Section } from '../../ui/facts.tsx';
import { PageBody, PageHeader } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { reasonText } from '../nodes/node-text.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { useSession } from './agent-queries.ts';
import { sessionAppearance } from './session-appearance.ts';
import { SessionRows } from './session-rows.tsx';
import { SessionUse } from './session-use.tsx';

export function SessionPage({ sessionId }: { sessionId: string }) {
  const session = useSession(sessionId);
  useBreadcrumbs({ label: 'Agents', href: paths.agents }, { label: session.data?.title ?? sessionId.slice(0, 8) });
  return (
    <QueryResult query={session} actions={<ButtonLink href={paths.agents}>All agents</ButtonLink>}>
      {(detail) => <Page session={detail} />}
    </QueryResult>
  );
}

function Page({ session }: { session: SessionDetail }) {
  const rows = useListKeys<HTMLDivElement>();
  return (
    <>
      <PageHeader
        title={session.title ?? session.sessionId.slice(0, 8)}
        besideTitle={
          <span className="flex items-center gap-1 font-mono text-code text-fg-3">
            {session.sessionId} <CopyButton text={session.sessionId} what="session id" />
          </span>
        }
        actions={<StateLabel appearance={sessionAppearance(session)} />}
      />
      <PageBody>
        <div ref={rows} className="flex flex-col gap-6">
          <div className="grid max-w-[980px] grid-cols-2 gap-x-10 gap-y-6 max-lg:grid-cols-1">
            <Section level={2} title="State">
              <Fact name="Why">{reasonText(session.reason)}</Fact>
              <Fact name="Since">
                <TimeAgo at={session.since} suffix=" ago" />
              </Fact>
              <Fact name="Last seen">
                <TimeAgo at={session.lastActivityAt} suffix=" ago" />
              </Fact>
              <Fact name="Started">
                <TimeAgo at={session.startedAt} suffix=" ago" />
              </Fact>
              {session.inferred && <Fact name="Known by">its transcript only; the tool reported no state</Fact>}
            </Section>
            <Section level={2} title="Place">
              <Fact name="Host">{session.host}</Fact>
              <Fact name="Tool">{session.tool}</Fact>
              <Fact name="Directory">
                <code className="break-all font-mono text-code">{session.cwd}</code>
              </Fact>
              <Fact name="Repository">
                {session.repository ? (
                  <Link
                    href={paths.repositoryNamed(session.repository)}
                    className="rounded underline decoration-dotted"
                  >
                    {session.repository}
                  </Link>
                ) : (
                  'none'
                )}
              </Fact>
              <Fact name="Branch">{session.branch ?? 'none'}</Fact>
              <Fact name="Process">{session.pid ?? 'not known'}</Fact>
            </Section>
            <SessionUse session={session} />
          </div>
          <Section level={2} title="Claims">
            <div className="panel max-w-[980px] overflow-hidden">
              <SessionRows sessions={[session]} label="Claims" />
            </div>
          </Section>
          <Section level={2} title="Runs it started">
            {session.runs.length === 0 && <p className="text-fg-3">No runs seen.</p>}
            <ul className="flex flex-col gap-1">
              {session.runs.map((run) => (
                <li key={run.runId}>
                  <Link data-row href={paths.run(run.runId)} className="rounded underline decoration-dotted">
                    {run.suite}
                  </Link>{' '}
                  <span className="text-fg-3">
                    {run.state}, <TimeAgo at={run.startedAt} suffix=" ago" />
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        </div>
      </PageBody>
    </>
  );
}
