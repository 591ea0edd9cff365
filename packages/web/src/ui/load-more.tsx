import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { countWithNoun, formatCount } from './format-count.ts';

type Props = { shown: number; total: number; noun: string; isBusy: boolean; onMore: () => void };

/** The end of a list that is read page by page: the next page is read when the end comes into view, or on request. */
export function LoadMore({ shown, total, noun, isBusy, onMore }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page it may still be in view
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && latest.current(), {
      rootMargin: '300px',
    });
    if (end.current && !isBusy) observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, isBusy]);
  return (
    <div ref={end} className="flex items-center justify-center gap-3 py-4 text-fg-3">
      <span>
        {formatCount(shown)} of {countWithNoun(total, noun)}
      </span>
      <Button disabled={isBusy} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}
