import {
  Ban,
  BellRing,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CirclePlay,
  CirclePower,
  CircleX,
  Inbox,
  Link2Off,
  Lock,
  type LucideIcon,
  RefreshCw,
  SkipForward,
  Trash2,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { Link } from 'wouter';
import { formatCount } from './format-count.ts';
import { glossaryEntry } from './glossary.ts';

export type Tone = 'done' | 'ready' | 'active' | 'warn' | 'orphan' | 'fail' | 'blocked' | 'indet' | 'handed';

/** The appearance of a state: colour, label and icon, never the colour alone. */
export type Appearance = { tone: Tone; label: string; icon: LucideIcon };

export const appearances = {
  done: { tone: 'done', label: 'Done', icon: CircleCheck },
  ready: { tone: 'ready', label: 'Ready', icon: CircleDashed },
  waiting: { tone: 'warn', label: 'Waiting for you', icon: BellRing },
  running: { tone: 'active', label: 'Running', icon: CirclePlay },
  claimed: { tone: 'active', label: 'Claimed', icon: CirclePlay },
  submitted: { tone: 'handed', label: 'Submitted', icon: Inbox },
  held: { tone: 'active', label: 'Claimed', icon: CirclePlay },
  stalled: { tone: 'warn', label: 'Stalled', icon: CirclePause },
  contested: { tone: 'warn', label: 'Contested', icon: TriangleAlert },
  orphaned: { tone: 'orphan', label: 'Orphaned', icon: Unplug },
  failed: { tone: 'fail', label: 'Failed', icon: CircleX },
  failing: { tone: 'fail', label: 'Failing', icon: CircleX },
  cleanup: { tone: 'orphan', label: 'Needs cleanup', icon: Trash2 },
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
      title={glossaryEntry(appearance.label)}
      className={`tone-${appearance.tone} inline-flex items-center gap-1.5 whitespace-nowrap align-middle font-[550] text-sm text-tone-text`}
    >
      <Icon size={size} className="shrink-0" aria-hidden />
      {label ?? appearance.label}
    </span>
  );
}

/** The count of one state, in the header of a plan or run; with an address it opens the list that it counts. */
export function StateChip({
  appearance,
  count,
  label,
  href,
}: {
  appearance: Appearance;
  count: number;
  label?: string;
  href?: string;
}) {
  const Icon = appearance.icon;
  const look = `tone-${appearance.tone} inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full border border-line-strong px-2 text-fg-2 text-xs`;
  const chip = (
    <>
      <Icon size={13} className="text-tone-text" aria-hidden />
      <b className="font-semibold text-fg">{formatCount(count)}</b> {label ?? appearance.label}
    </>
  );
  if (href === undefined) return <span className={look}>{chip}</span>;
  return (
    <Link href={href} className={`${look} relative z-10 hover:border-accent hover:bg-hover hover:text-fg`}>
      {chip}
    </Link>
  );
}
