import { hashKey } from '@tanstack/react-query';
import { createStore } from 'zustand/vanilla';
import { queryClient } from '../../live/query-client.ts';
import type { Board, PlanStatus } from '../../live/wire.ts';
import { boardQuery } from '../agents/agent-queries.ts';
import { statusQuery } from '../plans/plan-queries.ts';
import { boardNews, type News, statusNews } from './news.ts';

export type NewsItem = News & { id: number; at: number };

const keptItems = 40;

/** The latest news, newest first; kept outside React. */
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
  const boards = new Map<string, Board>();
  const statuses = new Map<string, PlanStatus>();
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    const { queryHash, queryKey } = query;
    if (type === 'removed') {
      boards.delete(queryHash);
      statuses.delete(queryHash);
    }
    if (type !== 'updated') return;
    const [, slug] = queryKey;
    if (queryHash === hashKey(boardQuery().queryKey)) {
      const change = replaced(boards, queryHash, queryClient.getQueryData(boardQuery().queryKey));
      if (change) addNews(boardNews(...change));
    } else if (typeof slug === 'string' && queryHash === hashKey(statusQuery(slug).queryKey)) {
      const change = replaced(statuses, queryHash, queryClient.getQueryData(statusQuery(slug).queryKey));
      if (change && query.isActive()) addNews(statusNews(...change));
    }
  });
}

/** The previous answer and the current one; undefined for the first answer, and if nothing changed. */
function replaced<Answer>(
  answers: Map<string, Answer>,
  hash: string,
  now: Answer | undefined,
): [before: Answer, now: Answer] | undefined {
  const before = answers.get(hash);
  if (now === undefined || before === now) return undefined;
  answers.set(hash, now);
  return before === undefined ? undefined : [before, now];
}
