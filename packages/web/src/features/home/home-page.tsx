import { BellRing, CircleCheckBig, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Need, NeedKind, Needs } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateIcon } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { FirstSteps } from '../plans/first-steps.tsx';
import { usePlans } from '../plans/plan-queries.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { needAppearances } from './need-appearance.ts';
import { NeedRow } from './need-row.tsx';
import { useNeeds } from './needs-queries.ts';
import { askToNotify, useNotifying } from './notify-needs.ts';

/** The start page: what needs a person, the most urgent first, each with its one action. */
export function HomePage() {
  useBreadcrumbs({ label: 'Needs you' });
  return <QueryResult query={useNeeds()}>{(answer) => <Page answer={answer} />}</QueryResult>;
}

function Page({ answer }: { answer: Needs }) {
  const { needs } = answer;
  const noPlans = usePlans().data?.length === 0;
  return (
    <>
      <PageHeader
        title="Needs you"
        description={needs.length > 0 && <GoingOn counts={answer.counts} />}
        actions={<NotifyButton />}
      />
      <PageBody>
        {needs.length > 0 ? (
          <NeedList needs={needs} mine={answer.mine ?? 0} />
        ) : noPlans ? (
          <FirstSteps />
        ) : (
          <Calm counts={answer.counts} />
        )}
      </PageBody>
    </>
  );
}

function Calm({ counts }: Pick<Needs, 'counts'>) {
  return (
    <EmptyState icon={CircleCheckBig} title="Nothing needs you">
      <p>
        <GoingOn counts={counts} />
      </p>
      <p className="text-fg-3">
        An agent that waits for an answer, a claim whose session ended, or a failure appears here.
      </p>
    </EmptyState>
  );
}

/** The state of everything else in one line; each number opens the list that it counts. */
function GoingOn({ counts }: Pick<Needs, 'counts'>) {
  const { sessions, claimed, ready, liveRuns } = counts;
  const door = 'rounded underline decoration-dotted underline-offset-2 hover:text-fg';
  return (
    <>
      <Link href={paths.liveSessions} className={door}>
        {countWithNoun(sessions, 'live session')}
      </Link>
      ,{' '}
      <Link href={paths.claimed} className={door}>
        {claimed} claimed
      </Link>
      ,{' '}
      <Link href={paths.readyOnly} className={door}>
        {ready} ready
      </Link>
      ,{' '}
      <Link href={paths.liveRuns} className={door}>
        {countWithNoun(liveRuns, 'live run')}
      </Link>
    </>
  );
}

/** The needs of this person come first, under their own heading. */
function NeedList({ needs, mine }: { needs: readonly Need[]; mine: number }) {
  const list = useListKeys<HTMLDivElement>();
  const [only, setOnly] = useSearchParam('kind');
  const shown = only === null ? needs : needs.filter(({ kind }) => kind === only);
  const severalHosts = new Set(needs.flatMap(({ host }) => host ?? [])).size > 1;
  return (
    <div ref={list} className="flex flex-col gap-3">
      {only !== null && (
        <div>
          <Button kind="on" icon={X} onClick={() => setOnly(null)}>
            Show everything that needs you
          </Button>
        </div>
      )}
      {shown.length === 0 && <p className="py-8 text-center text-fg-3">Nothing of this kind needs you now.</p>}
      {mine > 0 && <h2 className="font-semibold text-fg-2">For me</h2>}
      <NeedGroups needs={shown.filter((need) => needs.indexOf(need) < mine)} host={severalHosts} />
      {mine > 0 && mine < needs.length && <h2 className="mt-2 font-semibold text-fg-2">For others</h2>}
      <NeedGroups needs={shown.filter((need) => needs.indexOf(need) >= mine)} host={severalHosts} />
    </div>
  );
}

const NeedGroups = ({ needs, host }: { needs: readonly Need[]; host: boolean }) =>
  [...Map.groupBy(needs, ({ kind }) => kind)].map(([kind, group]) => (
    <NeedGroup key={kind} kind={kind} needs={group} host={host} />
  ));

const shownAtFirst = 12;

function NeedGroup({ kind, needs, host }: { kind: NeedKind; needs: readonly Need[]; host: boolean }) {
  const [all, setAll] = useState(false);
  const { appearance, group } = needAppearances[kind];
  const shown = all ? needs : needs.slice(0, shownAtFirst);
  return (
    <section className="panel overflow-hidden" aria-label={group}>
      <h2 className="flex items-center gap-2 px-4 py-2.5 font-semibold">
        <span aria-hidden>
          <StateIcon appearance={appearance} />
        </span>
        {group}
        <span className="font-mono font-normal text-fg-3 text-xs">{needs.length}</span>
      </h2>
      <ul>
        {shown.map((need) => (
          <NeedRow key={need.key} need={need} host={host} />
        ))}
      </ul>
      {needs.length > shown.length && (
        <div className="border-line border-t px-3 py-1.5">
          <Button kind="ghost" onClick={() => setAll(true)}>
            Show all {needs.length}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Asks once for the browser's permission, if the browser has notifications. */
function NotifyButton() {
  const notifying = useNotifying();
  if (notifying === 'default')
    return (
      <Button icon={BellRing} onClick={() => void askToNotify()}>
        Notify me when an agent waits
      </Button>
    );
  return notifying === 'granted' ? (
    <Link href={paths.settings} className="rounded text-fg-3 text-sm underline decoration-dotted underline-offset-2">
      Notifications on
    </Link>
  ) : null;
}
