import { useEffect, useState } from 'react';

const restMs = 5_000;

/** A text to read out; texts with the same `more` are counted together: "3 more failed". */
type Announcement = { text: string; more: string };

/** The text to read out for everything since the last time: the first of each kind, the rest as a count. */
export function spokenText(waiting: readonly Announcement[]): string {
  return [...Map.groupBy(waiting, ({ more }) => more)]
    .flatMap(([more, [first, ...rest]]) => [
      ...(first ? [`${first.text}.`] : []),
      ...(rest.length > 0 ? [`${rest.length} more ${more}.`] : []),
    ])
    .join(' ');
}

let waiting: Announcement[] = [];
const listeners = new Set<() => void>();

/**
 * Reads out a sentence (given without its full stop) on whichever page is open. Only for facts that a person must know
 * without looking at the page.
 */
export function announce(text: string, more: string): void {
  waiting.push({ text, more });
  for (const notify of listeners) notify();
}

/** The page's only polite region: at most one text every five seconds. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer: number | undefined;
    const speak = () => {
      timer = undefined;
      if (waiting.length === 0) return;
      setText(spokenText(waiting));
      waiting = [];
      timer = window.setTimeout(speak, restMs);
    };
    // Runs after this turn, so that simultaneous announcements are counted together.
    const hear = () => {
      timer ??= window.setTimeout(speak);
    };
    listeners.add(hear);
    return () => {
      listeners.delete(hear);
      clearTimeout(timer);
    };
  }, []);
  return (
    <p role="status" aria-label="News" className="sr-only">
      {text}
    </p>
  );
}
