import { X } from 'lucide-react';
import { Link } from 'wouter';
import { paths } from '../../paths.ts';
import { StateLabel } from '../../ui/appearance.tsx';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/facts.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { TimeAgo } from '../../ui/time.tsx';
import { adviceFor, type ChangedTree, type ChangeRow, changeText, treeKey, treeName } from './change-rows.ts';
import { overlapAppearance } from './overlap-appearance.ts';

type Props = { row: ChangeRow; trees: readonly ChangedTree[]; defaultBranch: string | null; onClose: () => void };

/** One path: who changes it, in which lines, and what to do. */
export function OverlapPanel({ row, trees, defaultBranch, onClose }: Props) {
  const changing = trees.filter((tree) => row.files.has(treeKey(tree)));
  const refs = [...new Set(changing.flatMap(({ claims }) => claims))];
  return (
    <div className="flex flex-col gap-5 p-4">
      <div className="flex items-start gap-2">
        <h2 tabIndex={-1} className="min-w-0 flex-1 break-all font-mono font-semibold text-code">
          {row.path}
        </h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      {row.overlaps.length === 0 && <p className="text-fg-2">Only one live tree changes this file.</p>}
      {row.overlaps.map((overlap) => (
        <p key={overlap.kind + overlap.trees.map(treeKey).join()} className="text-fg-2">
          <StateLabel appearance={overlapAppearance(overlap.kind, defaultBranch)} />{' '}
          {overlap.kind === 'behind'
            ? `in ${overlap.trees.slice(0, 1).map(treeName).join()}`
            : `in ${overlap.trees.length} live trees`}
          , began <TimeAgo at={overlap.since} suffix=" ago" />
        </p>
      ))}
      <LineMap row={row} trees={changing} />
      <Section title="Trees">
        <ul className="flex flex-col">
          {changing.map((tree) => {
            const file = row.files.get(treeKey(tree));
            return (
              <li key={treeKey(tree)} className="flex flex-wrap items-baseline gap-x-3 border-line border-b py-2">
                {tree.claims[0] ? (
                  <Link href={paths.nodeRef(tree.claims[0])} className="rounded font-medium hover:underline">
                    {tree.claims[0]}
                  </Link>
                ) : (
                  <span className="font-medium">no claim</span>
                )}
                <span className="ml-auto font-mono text-code text-fg-3">{file && changeText(file, 'line')}</span>
                <span className="basis-full text-fg-2">{[...tree.agents, ...tree.tools].join(', ')}</span>
                <span className="basis-full break-all font-mono text-code text-fg-3">{tree.branch ?? tree.root}</span>
              </li>
            );
          })}
        </ul>
      </Section>
      {row.overlaps.length > 0 && (
        <>
          <p className="text-fg-2">
            {changing.length > 1 ? 'The agents read this' : 'The agent reads this'} with the answer to the next claim or
            report.
          </p>
          <div className="flex flex-wrap gap-2">
            <CopyTextButton text={adviceFor(row, trees)}>Copy for the agents</CopyTextButton>
            {refs.slice(0, 4).map((ref) => (
              <ButtonLink key={ref} href={paths.nodeRef(ref)}>
                Open {ref}
              </ButtonLink>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

const height = 150;
/** The width of all columns together, which fits the panel at every width. */
const allColumns = 304;
const mostColumns = 4;
const widestColumn = 120;

/** The places in the file that each tree changes; overlapping lines are framed. */
function LineMap({ row, trees }: { row: ChangeRow; trees: readonly ChangedTree[] }) {
  const shown = trees.slice(0, mostColumns).map((tree) => ({
    key: treeKey(tree),
    name: treeName(tree),
    ranges: row.files.get(treeKey(tree))?.ranges ?? [],
  }));
  if (!shown.some(({ ranges }) => ranges.length > 0)) return null;
  const last = Math.max(...shown.flatMap(({ ranges }) => ranges.map(({ to }) => to)), 1);
  const y = (line: number) => (line / last) * (height - 6);
  const met = row.overlaps[0]?.kind === 'same_lines' ? meetingRanges(shown.map(({ ranges }) => ranges)) : [];
  const lines = met.map(({ after, to }) =>
    to > after + 1 ? `${after + 1} to ${to}` : String(Math.max(to, after + 1)),
  );
  const column = Math.min(widestColumn, allColumns / shown.length);
  const width = shown.length * column;
  return (
    <figure className="flex flex-col gap-1.5">
      <div aria-hidden className="flex text-fg-3 text-xs">
        {shown.map(({ key, name }) => (
          <span key={key} className="truncate pr-3" style={{ width: column }} title={name}>
            {name}
          </span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`Changed lines of ${shown.map(({ name }) => name).join(' and ')}`}
      >
        {shown.map(({ key, ranges }, at) => (
          <g key={key} transform={`translate(${at * column} 0)`}>
            <rect
              x={0.5}
              y={0.5}
              width={column - 13}
              height={height - 1}
              rx={4}
              className="fill-raised stroke-line-strong"
            />
            {ranges.map(({ after, to }) => (
              <rect
                key={after}
                x={1}
                y={1 + y(after)}
                width={column - 14}
                height={Math.max(3, y(to) - y(after))}
                className="fill-accent opacity-60"
              />
            ))}
          </g>
        ))}
        {met.map(({ after, to }) => (
          <rect
            key={after}
            x={1}
            y={1 + y(after)}
            width={width - 14}
            height={Math.max(5, y(to) - y(after))}
            rx={2}
            fill="none"
            strokeWidth={2}
            className="tone-fail stroke-tone-text"
          />
        ))}
      </svg>
      <figcaption className="text-fg-3 text-xs empty:hidden">
        {[
          lines.length > 0 &&
            `They meet in ${lines.length === 1 && !lines[0]?.includes('to') ? 'line' : 'lines'} ${lines.join(', ')}.`,
          trees.length > mostColumns && `${countWithNoun(trees.length - mostColumns, 'more tree')} not drawn.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </figcaption>
    </figure>
  );
}

type Range = { after: number; to: number };
const mostMeetings = 20;

/** The parts of the file that two of the trees change. */
function meetingRanges(trees: readonly (readonly Range[])[]): Range[] {
  const found = new Map<string, Range>();
  for (const [at, ranges] of trees.entries())
    for (const other of trees.slice(at + 1))
      for (const a of ranges)
        for (const b of other) {
          const met = { after: Math.max(a.after, b.after), to: Math.min(a.to, b.to) };
          if (met.after <= met.to && found.size < mostMeetings) found.set(`${met.after} ${met.to}`, met);
        }
  return [...found.values()];
}
