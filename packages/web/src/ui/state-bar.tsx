import type { Appearance } from './appearance.tsx';

export type StateCount = { appearance: Appearance; count: number };

/** The counts of all states as one bar; the counts as text are its label. */
export function StateBar({
  parts,
  total,
  height = 8,
}: {
  parts: readonly StateCount[];
  total: number;
  height?: number;
}) {
  const shown = parts.filter(({ count }) => count > 0);
  const text = shown.map(({ appearance, count }) => `${count} ${appearance.label.toLowerCase()}`).join(', ');
  return (
    <div
      role="img"
      aria-label={text || 'nothing yet'}
      className="tone-bar flex w-full gap-px overflow-hidden rounded-full bg-track"
      style={{ height }}
    >
      {shown.map(({ appearance, count }) => (
        <i
          key={appearance.label}
          className={`tone-${appearance.tone} block h-full min-w-[3px] bg-tone ${appearance.tone === 'blocked' ? 'opacity-45' : ''}`}
          style={{ width: `${(count / Math.max(total, 1)) * 100}%` }}
        />
      ))}
    </div>
  );
}

/** How much of something is left or done, from 0 to 1. */
export function Meter({ share, tone, label }: { share: number; tone: Appearance['tone']; label: string }) {
  const percent = Math.max(0, Math.min(1, share)) * 100;
  return (
    <span role="img" aria-label={label} className={`tone-${tone} tone-bar block h-1.5 w-full rounded-full bg-track`}>
      <i className="block h-full rounded-full bg-tone" style={{ width: `${percent}%` }} />
    </span>
  );
}
