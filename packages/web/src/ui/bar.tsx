import type { Look } from './tone.tsx';

export type Part = { look: Look; count: number };

/** The states of many things as one line, widest first to read; the words are its label. */
export function StateBar({ parts, total, height = 8 }: { parts: readonly Part[]; total: number; height?: number }) {
  const shown = parts.filter(({ count }) => count > 0);
  const words = shown.map(({ look, count }) => `${count} ${look.label.toLowerCase()}`).join(', ');
  return (
    <div
      role="img"
      aria-label={words || 'nothing yet'}
      className="tone-bar flex w-full gap-px overflow-hidden rounded-full bg-track"
      style={{ height }}
    >
      {shown.map(({ look, count }) => (
        <i
          key={look.label}
          className={`tone-${look.tone} block h-full min-w-[3px] bg-tone ${look.tone === 'blocked' ? 'opacity-45' : ''}`}
          style={{ width: `${(count / Math.max(total, 1)) * 100}%` }}
        />
      ))}
    </div>
  );
}

/** How much of something is left or done, from 0 to 1. */
export function Meter({ share, tone, label }: { share: number; tone: Look['tone']; label: string }) {
  const percent = Math.max(0, Math.min(1, share)) * 100;
  return (
    <span role="img" aria-label={label} className={`tone-${tone} tone-bar block h-1.5 w-full rounded-full bg-track`}>
      <i className="block h-full rounded-full bg-tone" style={{ width: `${percent}%` }} />
    </span>
  );
}
