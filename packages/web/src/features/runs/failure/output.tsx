import { Section } from '../../../ui/facts.tsx';
import { countWithNoun } from '../../../ui/format-count.ts';
import { formatDuration } from '../../../ui/time.tsx';
import type { Attempt } from '../attempts.ts';
import { type OutputLine, timedOutput } from '../output-lines.ts';

/** Short output is shown at once. */
const maxOpenLines = 12;

/** The output of the attempt: both streams sorted by time if times are known, otherwise one after the other. */
export function Output({ attempt }: { attempt: Attempt }) {
  const { stdout, stderr } = attempt;
  if (stdout.length + stderr.length === 0) return null;
  const lines = timedOutput(attempt);
  return (
    <Section title="Output">
      {lines ? (
        <OutputLines lines={lines} />
      ) : (
        <>
          <Stream name="stdout" lines={stdout} />
          <Stream name="stderr" lines={stderr} />
        </>
      )}
    </Section>
  );
}

const boxClasses =
  'max-h-[320px] overflow-auto whitespace-pre-wrap break-words rounded-md border border-line bg-bg px-3 py-2 font-mono text-code text-fg-2';

function Stream({ name, lines }: { name: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details open={lines.length <= maxOpenLines}>
      <summary className="flex min-h-6 w-fit cursor-pointer items-center rounded text-fg-3 text-sm">
        {name}, {countWithNoun(lines.length, 'line')}
      </summary>
      <pre tabIndex={0} role="group" aria-label={name} className={boxClasses}>
        {lines.join('\n')}
      </pre>
    </details>
  );
}

/** Lines with their times; stderr is marked. */
export function OutputLines({ lines, label = 'Output' }: { lines: readonly OutputLine[]; label?: string }) {
  if (lines.length === 0) return null;
  const list = (
    <ol tabIndex={0} aria-label={label} className={boxClasses}>
      {lines.map(({ atMs, stream, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
        <li key={index} className="grid grid-cols-[58px_minmax(0,1fr)] gap-2">
          <span className="select-none text-right text-fg-3">{formatDuration(atMs)}</span>
          {stream === 'stderr' ? (
            <span className="tone-warn text-tone-text">
              <span className="sr-only">stderr: </span>
              {text}
            </span>
          ) : (
            <span>{text}</span>
          )}
        </li>
      ))}
    </ol>
  );
  if (lines.length <= maxOpenLines) return list;
  return (
    <details>
      <summary className="flex min-h-6 w-fit cursor-pointer items-center rounded text-fg-3 text-sm">
        {countWithNoun(lines.length, 'line')} of output
      </summary>
      {list}
    </details>
  );
}
