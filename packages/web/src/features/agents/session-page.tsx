import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask, at } from '../../live/ask.ts';
import { keys } from '../../live/keys.ts';
import { useBoard } from '../../live/queries.ts';
import { Shown } from '../../live/shown.tsx';
import type { RunSummary, Session } from '../../live/wire.ts';
import { reasonText } from '../../node/words.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { Fact, Section } from '../../ui/facts.tsx';
import { PageBody, PageHead } from '../../ui/page.tsx';
import { Ago } from '../../ui/time.tsx';
import { StateLabel } from '../../ui/tone.tsx';
import { agentsOf } from './arrange.ts';
import { SessionRows, sessionLook } from './session-rows.tsx';

const noAgents: ReadonlyMap<string, string> = new Map();

type Detail = Session & { runs: readonly RunSummary[] };

export function SessionPage({ sessionId }: { sessionId: string }) {
  const session = useQuery({
    queryKey: keys.session(sessionId),
    queryFn: () => ask<Detail>('GET', at`/api/agents/${sessionId}`),
  });
  useCrumbs({ label: 'Agents', href: '/agents' }, { label: session.data?.title ?? sessionId.slice(0, 8) });
  return (
    <Shown of={session} aside={<ButtonLink href="/agents">All agents</ButtonLink>}>
      {(detail) => <Page session={detail} />}
    </Shown>
  );
}

function Page({ session }: { session: Detail }) {
  const board = useBoard().data;
  return (
    <>
      <PageHead
        title={session.title ?? session.sessionId.slice(0, 8)}
        after={
          <span className="flex items-center gap-1 font-mono text-[11.5px] text-fg-3">
            {session.sessionId} <CopyButton text={session.sessionId} what="session id" />
          </span>
        }
        actions={<StateLabel look={sessionLook[session.state]} />}
      />
      <PageBody>
        <div className="flex flex-col gap-6">
          <div className="grid max-w-[980px] grid-cols-2 gap-x-10 gap-y-6 max-lg:grid-cols-1">
            <Section level={2} title="State">
              <Fact name="Why">{reasonText(session.reason)}</Fact>
              <Fact name="Since">
                <Ago at={session.since} suffix=" ago" />
              </Fact>
              <Fact name="Last seen">
                <Ago at={session.lastActivityAt} suffix=" ago" />
              </Fact>
              <Fact name="Started">
                <Ago at={session.startedAt} suffix=" ago" />
              </Fact>
              {session.inferred && <Fact name="Known by">its transcript; the tool said nothing itself</Fact>}
            </Section>
            <Section level={2} title="Place">
              <Fact name="Host">{session.host}</Fact>
              <Fact name="Tool">{session.tool}</Fact>
              <Fact name="Directory">
                <code className="break-all font-mono text-[11.5px]">{session.cwd}</code>
              </Fact>
              <Fact name="Repository">
                {session.repository ? (
                  <Link href={`/repositories/${session.repository}`} className="rounded underline decoration-dotted">
                    {session.repository}
                  </Link>
                ) : (
                  'none'
                )}
              </Fact>
              <Fact name="Branch">{session.branch ?? 'none'}</Fact>
              <Fact name="Process">{session.pid ?? 'not known'}</Fact>
            </Section>
          </div>
          <Section level={2} title="Claims">
            <div className="panel max-w-[980px] overflow-hidden">
              <SessionRows sessions={[session]} agents={board ? agentsOf(board) : noAgents} label="Claims" />
            </div>
          </Section>
          <Section level={2} title="Runs it started">
            {session.runs.length === 0 && <p className="text-fg-3">None that Signalbox saw.</p>}
            <ul className="flex flex-col gap-1">
              {session.runs.map((run) => (
                <li key={run.runId}>
                  <Link href={`/runs/${run.runId}`} className="rounded underline decoration-dotted">
                    {run.suite}
                  </Link>{' '}
                  <span className="text-fg-3">
                    {run.state}, <Ago at={run.startedAt} suffix=" ago" />
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
