import { createStore } from 'zustand/vanilla';
import { queryClient } from '../../live/query-client.ts';
import type { Board, PlanStatus } from '../../live/wire.ts';
import { boardNews, type News, statusNews } from './news.ts';

export type NewsItem = News & { id: number; at: number };

const keptItems = 40;

/** The last things that happened, newest first; outside React. */
export const newsStore = createStore<{ list: readonly NewsItem[] }>(() => ({ list: [] }));

let lastId = 0;

function addNews(news: readonly News[]): void {
  if (news.length === 0) return;
  const items = news.map((one): NewsItem => {
    lastId += 1;
    return { ...one, id: lastId, at: Date.now() };
  });
  newsStore.setState(({ list }) => ({ list: [...items.reverse(), ...list].slice(0, keptItems) }));
}

/** Compares each new query result with the one before it; the first result is not news. */
export function followNews(): () => void {
  const before = new Map<string, unknown>();
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed') before.delete(query.queryHash);
    if (type !== 'updated' || query.state.data === undefined) return;
    const [kind, , part] = query.queryKey as readonly string[];
    const isBoard = kind === 'agents' && query.queryKey[1] === 'board';
    if (!isBoard && !(kind === 'plan' && part === 'status')) return;
    const now = query.state.data;
    const old = before.get(query.queryHash);
    if (old === now) return;
    before.set(query.queryHash, now);
    if (old === undefined) return;
    if (isBoard) addNews(boardNews(old as Board, now as Board));
    else if (query.isActive()) addNews(statusNews(old as PlanStatus, now as PlanStatus));
  });
}
