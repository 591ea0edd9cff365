import { expect, test } from 'vitest';
import type { Decide, IsPendingWrite } from '../../kernel/event-log.ts';
import { StreamVersions } from '../folded-state.ts';
import { waitingCall } from '../group-commit.ts';
import { chooseWrites, type QueuedCall } from './append.ts';

const standing = { now: '2026-01-01T00:00:00.000Z', versions: new StreamVersions(), seen: () => null };
const call = (decide: Decide<unknown>): QueuedCall => ({
  ...waitingCall(decide, undefined, { resolve: () => undefined, reject: () => undefined }),
  tries: 0,
  writes: [],
  reads: [],
});
const writing = (stream: string) => ({
  append: [{ stream, events: [{ type: 'taken', data: null, by: 'ada' }] }],
  answer: () => stream,
});
const streams = ['first', 'second', 'third'];
const anyOf = (_: string, isTaken?: IsPendingWrite) => writing(streams.find((stream) => !isTaken?.(stream)) ?? 'first');
const written = (picked: ReturnType<typeof chooseWrites>) => picked.writes.map(({ call: { writes } }) => writes);

test('calls that may choose are written together, each its own stream', () => {
  const picked = chooseWrites([call(anyOf), call(anyOf), call(anyOf)], standing);
  expect([written(picked), picked.deferred]).toEqual([[['first'], ['second'], ['third']], []]);
});

test('calls that cannot choose wait for the call before them, as does a call with no choice left', () => {
  const [one, two] = [call(() => writing('first')), call(() => writing('first'))];
  const rest = [call(anyOf), call(anyOf), call(anyOf)];
  const picked = chooseWrites([one, two, ...rest], standing);
  expect(written(picked)).toEqual([['first'], ['second'], ['third']]);
  expect(picked.deferred).toEqual([two, rest[2]]);
});
