import type { TestVerdict } from '../../live/wire.ts';
import type { Tone } from '../../ui/appearance.tsx';

const looks: Record<NonNullable<TestVerdict['outcome']> | 'none', { tone: Tone; height: number; word: string }> = {
  CleanPass: { tone: 'done', height: 9, word: 'passed' },
  PassOnRetry: { tone: 'warn', height: 12, word: 'passed on retry' },
  Failed: { tone: 'fail', height: 16, word: 'failed' },
  Aborted: { tone: 'fail', height: 16, word: 'aborted' },
  Skipped: { tone: 'blocked', height: 5, word: 'skipped' },
  none: { tone: 'indet', height: 16, word: 'lost' },
};

/** The last verdicts as small bars, oldest first; a failure is taller, so that it shows without colour. */
export function Strip({ verdicts }: { verdicts: readonly TestVerdict['outcome'][] }) {
  const counts = new Map<string, number>();
  for (const outcome of verdicts) {
    const { word } = looks[outcome ?? 'none'];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const label = [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
  return (
    <span role="img" aria-label={label} title={label} className="flex h-4 items-end gap-px">
      {verdicts.toReversed().map((outcome, index) => {
        const { tone, height } = looks[outcome ?? 'none'];
        return (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: a verdict is known by its place
            key={index}
            className={`tone-${tone} tone-bar block w-[5px] rounded-[1px] bg-tone`}
            style={{ height }}
          />
        );
      })}
    </span>
  );
}
