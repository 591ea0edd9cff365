import type { Tone } from '../../ui/appearance.tsx';
import { Meter } from '../../ui/state-bar.tsx';
import { formatCountdown, useNow } from '../../ui/time.tsx';

/** The remaining time of a lease, by the service's clock. */
export function LeaseMeter({ from, until, tone }: { from: string | null; until: string; tone: Tone }) {
  const now = useNow();
  const end = Date.parse(until);
  const left = Math.max(0, end - now);
  const whole = from === null ? 30 * 60_000 : Math.max(1, end - Date.parse(from));
  const text = left === 0 ? 'ended' : formatCountdown(left);
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      <span className="w-16 shrink-0 max-[1400px]:hidden">
        <Meter share={left / whole} tone={tone} label={`${text} of the lease left`} />
      </span>
      <span className="font-mono text-code">{text}</span>
    </span>
  );
}
