import { expect, test } from 'vitest';
import type { Board, PlanStatus } from '../../live/wire.ts';
import { boardNews, statusNews } from './news.ts';

type State = Board['sessions'][number]['state'];

/** A board with one session that holds one node, as far as news read it. */
const board = (state: State, health: string | null, contested = false, agent = 'ada'): Board =>
  ({
    sessions: [
      {
        sessionId: '00000001-x',
        title: null,
        state,
        reason: 'process_exited',
        claims: health ? [{ plan: 'shop', node: 'lexer', agent, health }] : [],
      },
    ],
    trees: [
      {
        host: 'h',
        root: '/code/shop',
        repository: 'acme/shop',
        contested,
        needsCleanup: false,
        owners: [],
      },
    ],
    unlinkedClaims: [],
  }) as unknown as Board;
const lines = (before: Board, after: Board) =>
  boardNews(before, after).map(({ who, sentence }) => `${who} ${sentence}`);

test('nothing new is no news', () => {
  expect(lines(board('running', 'held'), board('running', 'held'))).toEqual([]);
});

test('a session that leaves its claim behind is told once, and loud', () => {
  const news = boardNews(board('running', 'held'), board('gone', 'orphaned'));
  expect(news).toMatchObject([{ who: 'shop/lexer', sentence: 'ada is gone, its claim is orphaned', announced: true }]);
});

test('claims, sessions and trees are told as they change', () => {
  expect(lines(board('running', null), board('running', 'held'))).toEqual(['ada claimed shop/lexer']);
  expect(lines(board('running', 'held'), board('running', null))).toEqual(['ada no longer holds shop/lexer']);
  expect(lines(board('running', null), board('gone', null))).toEqual(['00000001 is gone: process exited']);
  expect(lines(board('running', 'held'), board('idle', 'stalled'))).toEqual([
    'shop/lexer ada went idle, its claim stalls',
  ]);
  expect(lines(board('running', 'held'), board('running', 'held', true))).toEqual(['acme/shop became contested']);
});

test('of a plan it is told what is done, what failed and what became ready', () => {
  const plan = (...states: string[]) =>
    ({
      nodes: states.map((status, index) => ({ id: `n${index}`, ref: `p/n${index}`, title: `N${index}`, status })),
    }) as unknown as PlanStatus;
  const news = statusNews(plan('claimed', 'running', 'blocked', 'ready'), plan('done', 'failed', 'ready', 'claimed'));
  expect(news.map(({ who, sentence, announced: loud }) => [who, sentence, loud])).toEqual([
    ['N0', 'is proven done', false],
    ['N1', 'failed', true],
    ['N2', 'became ready', false],
  ]);
});
