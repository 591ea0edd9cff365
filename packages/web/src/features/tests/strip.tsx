import type { TestVerdict } from '../../live/wire.ts';
import { VerdictBar } from '../../ui/verdict-bar.tsx';
import { scenarioAppearance } from '../runs/run-appearance.ts';

const passedHeight = 8;
const otherHeight = 14;

/** The last verdicts as small bars, oldest first; bars of tests that did not pass are taller. */
export function Strip({ verdicts }: { verdicts: readonly TestVerdict['outcome'][] }) {
  const shown = verdicts.map((outcome) => scenarioAppearance({ outcome }, false));
  const counts = Map.groupBy(shown, ({ label }) => label.toLowerCase());
  const label = [...counts].map(([word, { length }]) => `${length} ${word}`).join(', ');
  return (
    <span role="img" aria-label={label} title={label} className="flex items-end gap-px">
      {shown.toReversed().map((appearance, index) => (
        <VerdictBar
          // biome-ignore lint/suspicious/noArrayIndexKey: a verdict is known by its place
          key={index}
          appearance={appearance}
          height={appearance.tone === 'done' ? passedHeight : otherHeight}
          className="w-[5px]"
        />
      ))}
    </span>
  );
}
