import { Pause, Play, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { clock, stepFor } from '../timeline/time-span.ts';

type Props = { at: number; length: number; onMove: (at: number) => void; onEnd: () => void };

/** A replay plays a whole run in about this time. */
const playMs = 24_000;

/** The position of the replay: drag it, step through it with the keyboard, or play it. */
export function ReplayBar({ at, length, onMove, onEnd }: Props) {
  const [playing, setPlaying] = useState(false);
  const timeText = (ms: number) => clock(ms, stepFor(length));
  const latest = useRef({ at, onMove });
  latest.current = { at, onMove };
  useEffect(() => {
    if (!playing) return;
    let before = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const next = latest.current.at + ((now - before) / playMs) * length;
      before = now;
      latest.current.onMove(Math.min(length, next));
      if (next >= length) setPlaying(false);
    }, 80);
    return () => clearInterval(timer);
  }, [playing, length]);
  const toggle = () => {
    if (!playing && at >= length) onMove(0);
    setPlaying(!playing);
  };
  return (
    <div className="flex items-center gap-3 border-line border-t bg-accent-soft px-2 py-1.5">
      <IconButton icon={playing ? Pause : Play} label={playing ? 'Pause' : 'Play'} onClick={toggle} />
      <input
        type="range"
        aria-label="Moment of the run"
        aria-valuetext={`${timeText(at)} of ${timeText(length)}`}
        min={0}
        max={Math.max(1, Math.ceil(length))}
        step={Math.max(1, Math.round(length / 400))}
        value={at}
        onChange={(event) => {
          setPlaying(false);
          onMove(Number(event.target.value));
        }}
        className="h-6 min-w-0 flex-1 accent-[var(--accent)]"
      />
      <span className="shrink-0 font-mono text-note">
        <b>{timeText(at)}</b> <span className="text-fg-2">of {timeText(length)}</span>
      </span>
      <Button icon={X} onClick={onEnd}>
        End replay
      </Button>
    </div>
  );
}
