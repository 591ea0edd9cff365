import { type Appearance, appearances, type Tone } from './appearance.tsx';

type Shape = 'whole' | 'capped' | 'cut' | 'hollow';

const shapes: Record<Tone, Shape> = {
  done: 'whole',
  ready: 'whole',
  active: 'whole',
  handed: 'whole',
  warn: 'capped',
  fail: 'whole',
  orphan: 'cut',
  blocked: 'whole',
  indet: 'hollow',
};
const ways: Record<Shape, string> = {
  whole: 'bg-tone',
  capped: 'bg-[linear-gradient(var(--tone)_0_2px,transparent_2px_4px,var(--tone)_4px)]',
  cut: 'bg-[linear-gradient(var(--tone)_0_35%,transparent_35%_65%,var(--tone)_65%)]',
  hollow: 'border border-tone',
};
const troubles: readonly Tone[] = ['fail', 'orphan', 'indet'];
const least = 8;
const skippedHeight = 3;

/**
 * One result among many, distinguishable without its colour: a pass is solid, a pass on retry has a cap, an aborted one
 * has a gap, one without a verdict is hollow, a skipped one is a dash; a foot marks those that did not end well.
 */
export function VerdictBar({
  appearance,
  height,
  className = '',
}: {
  appearance: Appearance;
  height: number;
  className?: string;
}) {
  const { tone, label } = appearance;
  const shape = label === appearances.aborted.label ? 'cut' : shapes[tone];
  const tall = tone === 'blocked' ? skippedHeight : shape === 'whole' ? height : Math.max(least, height);
  return (
    <span className={`tone-${tone} tone-bar flex flex-col justify-end gap-px ${className}`}>
      <i className={`block rounded-[1px] ${ways[shape]}`} style={{ height: tall }} />
      <i className={`block h-[3px] rounded-[1px] ${troubles.includes(tone) ? 'bg-tone' : ''}`} />
    </span>
  );
}
