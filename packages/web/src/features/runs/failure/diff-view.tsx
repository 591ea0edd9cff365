import { useMemo, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { countWithNoun } from '../../../ui/format-count.ts';
import { type DiffLine, type DiffRow, diffRows, visible } from './diff-rows.ts';

const maxRows = 2_000;

const sides = {
  same: { sign: ' ', row: '', part: '' },
  expected: { sign: '−', row: 'tone-done diff-row', part: 'diff-part' },
  actual: { sign: '+', row: 'tone-fail diff-row', part: 'diff-part' },
} as const;

/** Expected against actual. */
export function DiffView({ expected, actual }: { expected: string; actual: string }) {
  const rows = useMemo(() => diffRows(expected, actual), [expected, actual]);
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex items-center gap-3 border-line border-b bg-raised py-0.5 pr-1 pl-3 text-xs">
        <span className="tone-done font-medium text-tone-text">− expected</span>
        <CopyButton text={expected} what="expected value" />
        <span className="tone-fail font-medium text-tone-text">+ actual</span>
        <CopyButton text={actual} what="actual value" />
      </figcaption>
      <div tabIndex={0} role="group" aria-label="Difference" className="max-h-[420px] overflow-auto bg-bg py-1">
        <div className="w-fit min-w-full">
          {rows.slice(0, maxRows).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
            <Row key={index} row={row} />
          ))}
          {rows.length > maxRows && (
            <p className="px-3 py-1 text-fg-3">and {countWithNoun(rows.length - maxRows, 'more row')}</p>
          )}
        </div>
      </div>
    </figure>
  );
}

function Row({ row }: { row: DiffRow }) {
  const [shown, setShown] = useState(false);
  if (row.kind !== 'hidden') return <Line line={row} />;
  // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
  if (shown) return row.lines.map((line, index) => <Line key={index} line={line} />);
  return (
    <button
      type="button"
      onClick={() => setShown(true)}
      className="block min-h-6 w-full border-line border-y bg-surface first:-mt-1 last:-mb-1 first:border-t-0 last:border-b-0 px-3 text-left text-fg-3 text-xs hover:text-fg"
    >
      {countWithNoun(row.lines.length, 'equal line')}
    </button>
  );
}

function Line({ line: { kind, parts } }: { line: DiffLine }) {
  const { sign, row, part } = sides[kind];
  return (
    <pre className={`px-3 font-mono text-code leading-5 ${row}`}>
      <span className="select-none pr-2 text-fg-3" aria-hidden>
        {sign}
      </span>
      {kind !== 'same' && <span className="sr-only">{kind}: </span>}
      {parts.map(({ text, changed }, index) =>
        changed && part !== '' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
          <mark key={index} className={part}>
            {/^\s|\s$/.test(text) || text.trim() === '' ? visible(text) : text}
          </mark>
        ) : (
          text
        ),
      )}
    </pre>
  );
}
