import { type Report, shortCount, spanText } from 'signalbox/browser/report';
import { Link } from 'wouter';
import { paths } from '../../paths.ts';
import type { Tone } from '../../ui/appearance.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { formatAge, useNow } from '../../ui/time.tsx';

type FigureProps = { tone: Tone; value: string; label: string; detail: string; href?: string };

function Figure({ tone, value, label, detail, href }: FigureProps) {
  const look = `tone-${tone} panel block min-w-0 px-2.5 py-2.5`;
  const text = (
    <>
      <p className="flex flex-wrap items-baseline gap-x-1">
        <b className="font-[650] text-display text-tone-text leading-6">{value}</b>
        <span className="text-fg-2">{label}</span>
      </p>
      <p className="text-fg-3 text-xs">{detail}</p>
    </>
  );
  return href === undefined ? (
    <div className={look}>{text}</div>
  ) : (
    <Link href={href} className={`${look} transition-colors hover:border-line-strong hover:bg-raised`}>
      {text}
    </Link>
  );
}

/** The period in seven figures. */
export function ReportFigures({ report }: { report: Report }) {
  const { totals, doneHow, awaited, tests, rows, by } = report;
  const now = useNow();
  const ways = Object.entries(doneHow).map(([how, count]) => `${count} ${how}`);
  const [oldest] = awaited;
  const flaky = tests.flaky.length === 0 ? '' : `, ${countWithNoun(tests.flaky.length, 'test')} became flaky`;
  const holders = rows.filter(({ heldMs }) => heldMs > 0).length;
  const group = { agent: 'agent', person: 'person', repository: 'repository', plan: 'plan' }[by];
  const groups =
    holders === 1 ? group : { agent: 'agents', person: 'people', repository: 'repositories', plan: 'plans' }[by];
  return (
    <div className="grid grid-cols-7 gap-2 max-xl:grid-cols-4 max-md:grid-cols-2">
      <Figure
        tone="done"
        value={String(totals.done)}
        label="done"
        detail={ways.join(', ') || 'nothing proven yet'}
        href={paths.plansWithDone}
      />
      <Figure
        tone="handed"
        value={String(totals.submitted)}
        label="submitted"
        detail={
          oldest
            ? `oldest ${formatAge(Math.max(0, now - Date.parse(oldest.since)))}, ${oldest.ref}`
            : 'none is waiting for proof'
        }
      />
      <Figure
        tone="fail"
        value={String(totals.failed)}
        label="failed"
        detail="released as failed, or contradicted"
        href={paths.needs('node_failed')}
      />
      <Figure
        tone="orphan"
        value={String(totals.givenBack + totals.expired)}
        label="released"
        detail={`${countWithNoun(totals.expired, 'lease')} ran out`}
      />
      <Figure
        tone="blocked"
        value={spanText(totals.heldMs)}
        label="held"
        detail={`by ${holders} ${groups} in ${countWithNoun(totals.claims, 'claim')}`}
      />
      <Figure
        tone="warn"
        value={shortCount(totals.tokens)}
        label="tokens"
        detail={totals.waitedMs === 0 ? 'no waiting for people' : `${spanText(totals.waitedMs)} waiting for people`}
      />
      <Figure
        tone="active"
        value={String(totals.runs)}
        label={totals.runs === 1 ? 'run' : 'runs'}
        detail={`${totals.runsFailed} failed${flaky}`}
        href={paths.runs}
      />
    </div>
  );
}
