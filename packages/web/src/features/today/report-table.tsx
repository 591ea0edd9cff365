import { useState } from 'react';
import { groupTitles, type Report, rowName, shortCount, spanText } from 'signalbox/browser/report';
import type { Tone } from '../../ui/appearance.tsx';

type Row = Report['rows'][number];
type Column = { key: Exclude<keyof Row, 'key'>; heading: string; text: (row: Row) => string; tone?: Tone };

const columns: readonly Column[] = [
  { key: 'done', heading: 'Done', text: ({ done }) => String(done), tone: 'done' },
  { key: 'submitted', heading: 'Submitted', text: ({ submitted }) => String(submitted), tone: 'handed' },
  { key: 'failed', heading: 'Failed', text: ({ failed }) => String(failed), tone: 'fail' },
  { key: 'givenBack', heading: 'Back', text: ({ givenBack }) => String(givenBack) },
  { key: 'expired', heading: 'Expired', text: ({ expired }) => String(expired), tone: 'orphan' },
  { key: 'heldMs', heading: 'Held', text: ({ heldMs }) => spanText(heldMs) },
  { key: 'tokens', heading: 'Tokens', text: ({ tokens }) => shortCount(tokens) },
  { key: 'runs', heading: 'Runs', text: ({ runs }) => String(runs) },
  { key: 'waitedMs', heading: 'Waited', text: ({ waitedMs }) => spanText(waitedMs) },
];

/** A row for each agent, person, repository or plan; a heading sorts by its column. */
export function ReportTable({ report }: { report: Report }) {
  const [sorted, setSorted] = useState<Column['key']>('done');
  const rows = sorted === 'done' ? report.rows : report.rows.toSorted((a, b) => b[sorted] - a[sorted]);
  return (
    <section className="panel overflow-hidden" aria-label={`By ${report.by}`}>
      <h2 className="border-line border-b px-3.5 py-2.5 font-semibold">By {report.by}</h2>
      <div className="overflow-x-auto" data-scrolls>
        <table className="w-full">
          <thead>
            <tr className="border-line border-b text-left text-caption text-fg-3">
              <th className="px-3.5 py-2 font-medium">{groupTitles[report.by]}</th>
              {columns.map(({ key, heading }) => (
                <th
                  key={key}
                  className="py-1 pr-1 text-right font-medium last:pr-2.5"
                  aria-sort={sorted === key ? 'descending' : 'none'}
                >
                  <button
                    type="button"
                    onClick={() => setSorted(key)}
                    className="whitespace-nowrap rounded px-1 py-1 hover:text-fg"
                  >
                    {heading}
                    {sorted === key ? ' ▾' : ''}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key ?? ''} className="border-line border-b last:border-0">
                <th
                  scope="row"
                  className="max-w-[132px] truncate px-3.5 py-2 text-left font-medium"
                  title={rowName(row.key)}
                >
                  {rowName(row.key)}
                </th>
                {columns.map(({ key, text, tone }) => (
                  <td
                    key={key}
                    className={`whitespace-nowrap pr-2 pl-1 text-right font-mono text-code last:pr-3.5 ${tone && row[key] > 0 ? `tone-${tone} text-tone-text` : 'text-fg-2'}`}
                  >
                    {text(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
