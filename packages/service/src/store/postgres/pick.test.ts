import { expect, test } from 'vitest';
import type { IsTaken } from '../../kernel/event-log.ts';
import { Versions } from '../versions.ts';
import { type Call, pick } from './pick.ts';

const standing = { now: '2026-01-01T00:00:00.000Z', versions: new Versions(), seen: () => null };
const call = (decide: Call['decide']): Call => ({
  decide,
  guard: undefined,
  resolve: () => undefined,
  reject: () => undefined,
  tries: 0,
  writes: [],
  reads: [],
});
const writing = (stream: string) => ({
  append: [{ stream, events: [{ type: 'taken', data: null, by: 'ada' }] }],
  answer: () => stream,
});
const streams = ['first', 'second', 'third'];
const anyOf = (_: string, isTaken?: IsTaken) => writing(streams.find((stream) => !isTaken?.(stream)) ?? 'first');
const written = (picked: ReturnType<typeof pick>) => picked.writes.map(({ call: { writes } }) => writes);

test('calls that may choose are written together, each its own stream', () => {
  const picked = pick([call(anyOf), call(anyOf), call(anyOf)], standing);
  expect([written(picked), picked.later]).toEqual([[['first'], ['second'], ['third']], []]);
});

test('calls that may not choose wait for the one before them, and so does one to whom nothing is left', () => {
  const [one, two] = [call(() => writing('first')), call(() => writing('first'))];
  const rest = [call(anyOf), call(anyOf), call(anyOf)];
  const picked = pick([one, two, ...rest], standing);
  expect(written(picked)).toEqual([['first'], ['second'], ['third']]);
  expect(picked.later).toEqual([two, rest[2]]);
});
