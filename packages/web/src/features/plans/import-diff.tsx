import { ArrowRight, Minus, Pencil, Pin, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ImportReport } from '../../live/wire.ts';
import type { Tone } from '../../ui/appearance.tsx';

type Line = { tone: Tone; icon: typeof Plus; text: ReactNode; key: string };

/** The changes that an import would make, or made, line by line. */
export function ImportDiff({ report }: { report: ImportReport }) {
  const lines: Line[] = [
    ...report.added.map((id): Line => ({ tone: 'done', icon: Plus, key: `+${id}`, text: id })),
    ...report.changed.map(
      ({ id, fields }): Line => ({
        tone: 'active',
        icon: Pencil,
        key: `~${id}`,
        text: (
          <>
            {id} <span className="text-fg-3">{fields.join(', ')}</span>
          </>
        ),
      }),
    ),
    ...report.removed.map((id): Line => ({ tone: 'fail', icon: Minus, key: `-${id}`, text: id })),
    ...report.dependenciesAdded.map((edge) => edgeLine(edge, 'done')),
    ...report.dependenciesRemoved.map((edge) => edgeLine(edge, 'fail')),
    ...report.kept.map(
      (id): Line => ({ tone: 'blocked', icon: Pin, key: `=${id}`, text: `${id} is kept: missing from the document` }),
    ),
  ];
  const { added, changed, removed, unchanged } = report;
  return (
    <section aria-label="What would change" className="panel overflow-hidden">
      <p className="border-line border-b px-3 py-2 text-fg-2">
        {report.created ? 'A new plan: ' : ''}
        {added.length} added, {changed.length} changed, {removed.length} removed, {unchanged.length} unchanged
      </p>
      {lines.length === 0 ? (
        <p className="px-3 py-2 text-fg-3">The plan already matches the document.</p>
      ) : (
        <ul className="max-h-[220px] overflow-y-auto py-1">
          {lines.map(({ tone, icon: Icon, text, key }) => (
            <li key={key} className={`tone-${tone} flex items-center gap-2 px-3 py-0.5 font-mono text-code`}>
              <Icon size={13} className="shrink-0 text-tone-text" aria-hidden />
              <span className="min-w-0 break-words">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const edgeLine = ({ node, on }: { node: string; on: string }, tone: Tone): Line => ({
  tone,
  icon: ArrowRight,
  key: `${tone}${node}>${on}`,
  text: `${node} ${tone === 'done' ? 'waits for' : 'no longer waits for'} ${on}`,
});
