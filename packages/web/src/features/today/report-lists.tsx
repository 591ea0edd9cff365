import type { ReactNode } from 'react';
import type { Report } from 'signalbox/browser/report';
import { Link } from 'wouter';
import { paths } from '../../paths.ts';
import { formatMoment, withLocalTimes } from '../../ui/time.tsx';

const shownAtMost = 12;

/** A list of a report; nothing if it is empty. */
function List({
  title,
  count,
  href,
  children,
}: {
  title: string;
  count: number;
  href?: string;
  children: ReactNode[];
}) {
  if (count === 0) return null;
  const more = count - Math.min(children.length, shownAtMost);
  return (
    <section className="panel overflow-hidden" aria-label={title}>
      <h2 className="flex items-baseline gap-2 border-line border-b px-3.5 py-2.5 font-semibold">
        {href === undefined ? (
          title
        ) : (
          <Link href={href} className="rounded hover:underline">
            {title}
          </Link>
        )}
        <span className="font-mono font-normal text-fg-3 text-xs">{count}</span>
      </h2>
      <ul className="flex flex-col gap-2 px-3.5 py-2.5">{children.slice(0, shownAtMost)}</ul>
      {more > 0 && <p className="px-3.5 pb-2.5 text-fg-3 text-xs">and {more} more</p>}
    </section>
  );
}

const Item = ({ href, name, children }: { href: string; name: string; children: ReactNode }) => (
  <li className="min-w-0">
    <Link href={href} className="block truncate rounded font-semibold hover:underline">
      {name}
    </Link>
    <p className="break-words text-fg-3 text-xs">{children}</p>
  </li>
);

export const FirstNext = ({ first }: Pick<Report, 'first'>) => (
  <section className="panel overflow-hidden" aria-label="Tomorrow first">
    <h2 className="border-line border-b px-3.5 py-2.5 font-semibold">Tomorrow first</h2>
    {first.length === 0 ? (
      <p className="px-3.5 py-2.5 text-fg-3">Nothing is ready.</p>
    ) : (
      <ol className="flex flex-col gap-2.5 px-3.5 py-2.5">
        {first.map(({ ref, title, why }, index) => (
          <Item key={ref} href={paths.nodeRef(ref)} name={`${index + 1}. ${ref}`}>
            <bdi>{title}</bdi>; {why}
          </Item>
        ))}
      </ol>
    )}
  </section>
);

/** The other questions of a team lead: who works on what, what is stuck, what was done, taken back or became flaky. */
export function ReportLists({ report }: { report: Report }) {
  const { working, stuck, done, awaited, takenBack, tests } = report;
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(260px,1fr))] items-start gap-3">
      <List title="Claimed now" count={working.length} href={paths.claimed}>
        {working.map(({ ref, agent, person, since, health }) => (
          <Item key={ref} href={paths.nodeRef(ref)} name={ref}>
            {agent === person ? agent : `${agent} (${person})`} since {formatMoment(since)}
            {health === 'stalled' || health === 'orphaned' ? `, ${health}` : ''}
          </Item>
        ))}
      </List>
      <List title="Stuck" count={stuck.total} href={paths.start}>
        {stuck.first.map(({ kind, title, detail, ref }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two needs may have one title
          <Item key={index} href={ref === null ? paths.needs(kind) : paths.nodeRef(ref)} name={title}>
            {withLocalTimes(detail)}
          </Item>
        ))}
      </List>
      <List title="Done" count={report.totals.done}>
        {done.map(({ ref, agent, at, how }) => (
          <Item key={ref} href={paths.nodeRef(ref)} name={ref}>
            {[agent, how, formatMoment(at)].filter(Boolean).join(', ')}
          </Item>
        ))}
      </List>
      <List title="Submitted, not proven" count={awaited.length}>
        {awaited.map(({ ref, agent, since, person }) => (
          <Item key={ref} href={paths.nodeRef(ref)} name={ref}>
            {agent} since {formatMoment(since)}
            {person ? ', waits for a person' : ''}
          </Item>
        ))}
      </List>
      <List title="Taken back" count={takenBack.length}>
        {takenBack.map(({ ref, agent, at, how, by }) => (
          <Item key={`${ref} ${at}`} href={paths.nodeRef(ref)} name={ref}>
            {agent}, {how === 'expired' ? 'lease ran out' : `${how} by ${by}`}, {formatMoment(at)}
          </Item>
        ))}
      </List>
      <Tests title="Became flaky" tests={tests.flaky} />
      <Tests title="No longer flaky" tests={tests.mended} />
    </div>
  );
}

const Tests = ({ title, tests }: { title: string; tests: Report['tests']['flaky'] }) => (
  <List title={title} count={tests.length} href={paths.tests()}>
    {tests.map(({ uid, suite, repositoryName }) => (
      <Item key={`${suite} ${uid}`} href={paths.tests()} name={uid}>
        {suite}
        {repositoryName === null ? '' : ` of ${repositoryName}`}
      </Item>
    ))}
  </List>
);
