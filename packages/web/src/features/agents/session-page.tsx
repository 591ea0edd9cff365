import { directoryCommand, isWaiting, paneCommand, resumeCommand, waitingText } from 'signalbox/browser/needs';
import { Link } from 'wouter';
import type { Session, SessionDetail } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances, StateLabel } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Command, CopyButton, useCopyKey } from '../../ui/copy-button.tsx';
import { Fact, Section } from '../../ui/facts.tsx';
import { Kbd, PageBody, PageHeader } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { LeaseMeter } from '../nodes/lease-meter.tsx';
import { reasonText } from '../nodes/node-text.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { useBoard, useSession } from './agent-queries.ts';
import { sessionAppearance } from './session-appearance.ts';
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

type WayThere = { title: string; text: string };

/** How a person reaches a session: in its terminal while it lives, afterwards in a new one. */
function waysTo(session: Session): WayThere[] {
  const resume = resumeCommand(session);
  const directory = session.launchCwd ?? session.cwd;
  return [
    ...(session.live && session.pid !== null
      ? [{ title: 'Show its terminal (in tmux)', text: paneCommand(session.pid) }]
      : []),
    ...(!session.live && resume ? [{ title: 'Continue it in a new terminal', text: resume }] : []),
    ...(directory ? [{ title: 'Go to its directory', text: directoryCommand(directory) }] : []),
  ];
}

/** The activity of the session, or what it waits for, as a sentence. */
function sentenceOf(session: Session): string {
  if (isWaiting(session)) return waitingText(session.reason);
  if (session.state === 'running') return `Working: ${reasonText(session.reason.replace(/^tool:/, ''))}.`;
  if (session.state === 'idle') return 'Idle between turns: it waits for the next prompt.';
  return `${session.state === 'gone' ? 'Ended' : 'Its state cannot be determined'}: ${reasonText(session.reason)}.`;
}

function Page({ session }: { session: SessionDetail }) {
  const rows = useListKeys<HTMLDivElement>();
  const ways = waysTo(session);
  useCopyKey(ways[0]?.text ?? null);
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
          <div className="flex max-w-[980px] flex-col gap-3">
            <p className={`text-lg ${isWaiting(session) ? 'tone-warn font-semibold text-tone-text' : 'text-fg-2'}`}>
              {sentenceOf(session)}{' '}
              <span className="font-normal text-fg-3">
                {session.state === 'gone' ? (
                  <TimeAgo at={session.since} suffix=" ago." />
                ) : (
                  <>
                    For <TimeAgo at={session.since} suffix="." />
                  </>
                )}
              </span>
            </p>
            <Work session={session} />
          </div>
          {ways.length > 0 && (
            <Section level={2} title={`Commands on ${session.host}`}>
              <div className="flex max-w-[980px] flex-col gap-2">
                {ways.map(({ title, text }, index) => (
                  <div key={title} className="flex flex-col gap-1">
                    <span className="text-fg-2">
                      {title} {index === 0 && <Kbd>Y</Kbd>}
                    </span>
                    <Command text={text} what={title.toLowerCase()} />
                  </div>
                ))}
              </div>
            </Section>
          )}
          <div className="grid max-w-[980px] grid-cols-2 gap-x-10 gap-y-6 max-lg:grid-cols-1">
            <Section level={2} title="State">
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

/** The claims of the session, and the other sessions in its tree. */
function Work({ session }: { session: Session }) {
  const others = useBoard().data?.sessions.filter(
    ({ sessionId, live, tree }) =>
      session.live && live && tree !== null && tree === session.tree && sessionId !== session.sessionId,
  );
  return (
    <ul className="flex flex-col gap-1.5">
      {session.claims.map((claim) => (
        <li key={`${claim.plan}/${claim.node}`} className="flex flex-wrap items-center gap-x-3">
          <Link data-row href={paths.node(claim.plan, claim.node)} className="rounded font-medium underline">
            {claim.plan}/{claim.node}
          </Link>
          <StateLabel appearance={appearances[claim.health]} />
          <span className="text-fg-2">
            {claim.correlation === 'inferred' ? 'possibly ' : ''}
            {claim.agent}
          </span>
          <LeaseMeter from={null} until={claim.expiresAt} tone={appearances[claim.health].tone} />
        </li>
      ))}
      {session.claims.length === 0 && <li className="text-fg-3">It holds no node.</li>}
      {others?.map(({ sessionId, title }) => (
        <li key={sessionId} className="tone-warn">
          <span className="text-tone-text">Shares its working tree with </span>
          <Link data-row href={paths.session(sessionId)} className="rounded underline">
            {title ?? sessionId.slice(0, 8)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
