import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CirclePlay,
  CirclePower,
  CircleX,
  Link2Off,
  Lock,
  type LucideIcon,
  RefreshCw,
  SkipForward,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { formatCount } from './format-count.ts';

export type Tone = 'done' | 'ready' | 'active' | 'warn' | 'orphan' | 'fail' | 'blocked' | 'indet';

/** How a state is shown: colour, label and icon, never the colour alone. */
export type Appearance = { tone: Tone; label: string; icon: LucideIcon };

export const appearances = {
  done: { tone: 'done', label: 'Done', icon: CircleCheck },
  ready: { tone: 'ready', label: 'Ready', icon: CircleDashed },
  running: { tone: 'active', label: 'Running', icon: CirclePlay },
  claimed: { tone: 'active', label: 'Claimed', icon: CirclePlay },
  held: { tone: 'active', label: 'Held', icon: CirclePlay },
  stalled: { tone: 'warn', label: 'Stalled', icon: CirclePause },
  contested: { tone: 'warn', label: 'Contested', icon: TriangleAlert },
  orphaned: { tone: 'orphan', label: 'Orphaned', icon: Unplug },
  failed: { tone: 'fail', label: 'Failed', icon: CircleX },
  blocked: { tone: 'blocked', label: 'Blocked', icon: Lock },
  unlinked: { tone: 'blocked', label: 'Unlinked', icon: Link2Off },
  unknown: { tone: 'indet', label: 'Unknown', icon: CircleHelp },
  idle: { tone: 'warn', label: 'Idle', icon: CirclePause },
  gone: { tone: 'blocked', label: 'Gone', icon: CirclePower },
  passed: { tone: 'done', label: 'Passed', icon: CircleCheck },
  passedOnRetry: { tone: 'warn', label: 'Passed on retry', icon: RefreshCw },
  skipped: { tone: 'blocked', label: 'Skipped', icon: SkipForward },
  aborted: { tone: 'fail', label: 'Aborted', icon: Ban },
  indeterminate: { tone: 'indet', label: 'Indeterminate', icon: CircleHelp },
  pending: { tone: 'blocked', label: 'Pending', icon: CircleDashed },
} as const satisfies Record<string, Appearance>;

export function StateIcon({ appearance, size = 15 }: { appearance: Appearance; size?: number }) {
  const Icon = appearance.icon;
  return (
    <Icon
      size={size}
      className={`tone-${appearance.tone} shrink-0 text-tone-text`}
      aria-label={appearance.label}
      role="img"
    />
  );
}

export function StateLabel({
  appearance,
  size = 14,
  label,
}: {
  appearance: Appearance;
  size?: number;
  label?: string;
}) {
  const Icon = appearance.icon;
  return (
    <span
      className={`tone-${appearance.tone} inline-flex items-center gap-1.5 whitespace-nowrap align-middle font-[550] text-sm text-tone-text`}
    >
      <Icon size={size} className="shrink-0" aria-hidden />
      {label ?? appearance.label}
    </span>
  );
}

/** A count of one state, as the header of a plan or run shows them. */
export function StateChip({ appearance, count, label }: { appearance: Appearance; count: number; label?: string }) {
  const Icon = appearance.icon;
  return (
    <span
      className={`tone-${appearance.tone} inline-flex h-[22px] items-center gap-1.5 whitespace-nowrap rounded-full border border-line-strong px-2 text-fg-2 text-xs`}
    >
      <Icon size={13} className="text-tone-text" aria-hidden />
      <b className="font-semibold text-fg">{formatCount(count)}</b> {label ?? appearance.label}
    </span>
  );
}
