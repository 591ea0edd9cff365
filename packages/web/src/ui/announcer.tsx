import { useEffect, useState } from 'react';

const restMs = 5_000;

/** Something to read out; those with the same `more` are counted together: "3 more failed". */
type Announcement = { text: string; more: string };

/** What is read out for everything that came since the last time: the first of each kind, the rest as a count. */
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

/** Has a sentence without its full stop read out, on whichever page is open. Only for what a person must know without looking at the page. */
export function announce(text: string, more: string): void {
  waiting.push({ text, more });
  for (const notify of listeners) notify();
}

/** The one polite region of the page: at most one text every five seconds. */
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
    // After the turn, so that what arrives together is counted together.
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
