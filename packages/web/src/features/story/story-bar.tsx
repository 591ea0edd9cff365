import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BookOpen, Pause, Play, RotateCcw, SkipForward } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

type Action = 'play' | 'pause' | 'next' | 'restart';

/** At the bottom of every page of `signalbox demo`: describes the current step, opens its page, and lets the viewer pause and step. */
export function StoryBar() {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [follows, setFollows] = useState(true);
  const shown = useRef(0);
  const { data: story } = useQuery({
    queryKey: queryKeys.story,
    queryFn: () => call('story', {}),
    refetchInterval: 1_000,
  });
  useEffect(() => {
    if (!story || story.step === shown.current) return;
    shown.current = story.step;
    if (follows) navigate(story.page);
  }, [story, follows, navigate]);
  const isShown = story !== undefined;
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const height = isShown ? (bar.current?.offsetHeight ?? 0) : 0;
    document.documentElement.style.setProperty('--below-toasts', `${height}px`);
  }, [isShown]);
  if (!story) return null;
  const act = async (action: Action) => queries.setQueryData(queryKeys.story, await call('direct_story', { action }));
  return (
    <aside
      ref={bar}
      aria-label="Demo"
      className="flex shrink-0 items-center gap-3 border-line border-t bg-surface px-page py-2 max-md:flex-wrap"
    >
      <span className="shrink-0 text-fg-3 tabular-nums">
        {story.step}/{story.steps}
      </span>
      <p className="min-w-0 flex-1" aria-live="polite">
        <b className="font-semibold text-fg">{story.title}.</b> <span className="text-fg-2">{story.text}</span>
      </p>
      <div className="flex shrink-0 items-center gap-1">
        <Button label={story.paused ? 'Resume' : 'Pause'} onPress={() => act(story.paused ? 'play' : 'pause')}>
          {story.paused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
        </Button>
        <Button label="Next step" onPress={() => act('next')}>
          <SkipForward size={15} aria-hidden />
        </Button>
        <Button label="Restart" onPress={() => act('restart')}>
          <RotateCcw size={15} aria-hidden />
        </Button>
        <label className="flex items-center gap-1.5 px-2 text-fg-2">
          <input type="checkbox" checked={follows} onChange={({ target }) => setFollows(target.checked)} />
          Follow
        </label>
        {story.guide && (
          <a
            href={story.guide.href}
            target="_blank"
            rel="noreferrer"
            title="Opens the documentation in a new tab"
            className="flex items-center gap-1.5 rounded-md px-2 py-1 text-fg-2 underline decoration-dotted hover:text-fg"
          >
            <BookOpen size={14} aria-hidden /> {story.guide.title}
          </a>
        )}
      </div>
    </aside>
  );
}

function Button({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-7 place-items-center rounded-md text-fg-2 hover:bg-hover hover:text-fg"
    >
      {children}
    </button>
  );
}
