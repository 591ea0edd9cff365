import { createStore } from 'zustand/vanilla';
import { client } from './client.ts';
import { boardNews, type News, statusNews } from './news.ts';
import type { Board, PlanStatus } from './wire.ts';

export type Told = News & { id: number; at: number };

const kept = 40;

/** The last things that happened, newest first; outside React. */
export const newsroom = createStore<{ list: readonly Told[] }>(() => ({ list: [] }));

let count = 0;

function tell(news: readonly News[]): void {
  if (news.length === 0) return;
  const told = news.map((one): Told => {
    count += 1;
    return { ...one, id: count, at: Date.now() };
  });
  newsroom.setState(({ list }) => ({ list: [...told.reverse(), ...list].slice(0, kept) }));
}

/** Compares what the pages know with what they knew; the first reading of a thing is no news. */
export function followNews(): () => void {
  const before = new Map<string, unknown>();
  return client.getQueryCache().subscribe(({ type, query }) => {
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
    if (isBoard) tell(boardNews(old as Board, now as Board));
    else if (query.isActive()) tell(statusNews(old as PlanStatus, now as PlanStatus));
  });
}
