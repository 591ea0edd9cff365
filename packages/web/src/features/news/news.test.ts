import { expect, test } from 'vitest';
import type { Board, Need, PlanStatus, RunSummary } from '../../live/wire.ts';
import { boardNews, newlyFailed, newNeeds, statusNews } from './news.ts';

type State = Board['sessions'][number]['state'];

/** A board with one session that holds one node, with the members that news reads. */
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

test('a session that leaves its claim behind is told once', () => {
  const news = boardNews(board('running', 'held'), board('gone', 'orphaned'));
  expect(news).toMatchObject([{ who: 'shop/lexer', sentence: 'ada is gone, its claim is orphaned' }]);
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
  expect(news.map(({ who, sentence }) => [who, sentence])).toEqual([
    ['N0', 'is proven done'],
    ['N1', 'failed'],
    ['N2', 'became ready'],
  ]);
});

test('a need is new once, by its key', () => {
  const need = (key: string) => ({ key }) as unknown as Need;
  expect(newNeeds([need('a')], [need('b'), need('a')])).toEqual([need('b')]);
  expect(newNeeds([need('a'), need('b')], [need('a')])).toEqual([]);
});

test('a run is announced when it ends without passing; older runs that are read later are not', () => {
  const run = (runId: string, state: string, green: boolean | null, minute: number) =>
    ({ runId, state, green, receivedAt: `2026-01-01T00:0${minute}:00.000Z` }) as unknown as RunSummary;
  const names = (before: RunSummary[], after: RunSummary[]) => newlyFailed(before, after).map(({ runId }) => runId);
  expect(names([run('a', 'running', null, 5)], [run('a', 'finished', false, 5)])).toEqual(['a']);
  expect(names([run('a', 'running', null, 5)], [run('a', 'finished', true, 5)])).toEqual([]);
  expect(names([run('a', 'finished', false, 5)], [run('a', 'finished', false, 5)])).toEqual([]);
  expect(
    names([run('a', 'finished', true, 5)], [run('b', 'finished', false, 6), run('c', 'orphaned', false, 4)]),
  ).toEqual(['b']);
});
