import { useEffect, useState } from 'react';
import { followNews, newsStore } from './news-store.ts';

const restMs = 5_000;

/** One polite region for everything that is read out: failures and orphans, at most one sentence every five seconds. */
export function Announcements() {
  const [text, setText] = useState('');
  useEffect(() => {
    const stopNews = followNews();
    let lastReadOut = 0;
    let timer: number | undefined;
    const speak = () => {
      timer = undefined;
      const loud = newsStore.getState().list.filter(({ announced: isLoud, id }) => isLoud && id > lastReadOut);
      lastReadOut = newsStore.getState().list[0]?.id ?? lastReadOut;
      if (loud.length === 0) return;
      const [first, ...more] = loud.reverse();
      setText(`${first?.who}: ${first?.sentence}.${more.length > 0 ? ` And ${more.length} more.` : ''}`);
      timer = window.setTimeout(speak, restMs);
    };
    const stop = newsStore.subscribe(() => {
      if (timer === undefined) speak();
    });
    return () => {
      stopNews();
      stop();
      clearTimeout(timer);
    };
  }, []);
  return (
    <p role="status" aria-label="News" className="sr-only">
      {text}
    </p>
  );
}
