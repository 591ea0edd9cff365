import { Section } from '../../../ui/facts.tsx';
import { countWithNoun } from '../../../ui/format-count.ts';

/** Short output is shown at once. */
const few = 12;

/** What the attempt printed, by stream. */
export function Output({ stdout, stderr }: { stdout: readonly string[]; stderr: readonly string[] }) {
  if (stdout.length + stderr.length === 0) return null;
  return (
    <Section title="Output">
      <Stream name="stdout" lines={stdout} />
      <Stream name="stderr" lines={stderr} />
    </Section>
  );
}

function Stream({ name, lines }: { name: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details open={lines.length <= few}>
      <summary className="flex min-h-6 w-fit cursor-pointer items-center rounded text-fg-3 text-sm">
        {name}, {countWithNoun(lines.length, 'line')}
      </summary>
      <pre
        tabIndex={0}
        role="group"
        aria-label={name}
        className="max-h-[320px] overflow-auto whitespace-pre-wrap break-words rounded-md border border-line bg-bg px-3 py-2 font-mono text-code text-fg-2"
      >
        {lines.join('\n')}
      </pre>
    </details>
  );
}
