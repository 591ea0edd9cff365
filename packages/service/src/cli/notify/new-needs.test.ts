import { expect, test } from 'vitest';
import type { Need } from '../../coordination/needs/contract.ts';
import { newNeeds, readQuietHours } from './new-needs.ts';

const need = (key: string, kind: Need['kind'] = 'agent_waiting') => ({ key, kind, title: key, detail: '' }) as Need;
const night = readQuietHours('22:00-07:00');
const keys = (needs: Need[], seen: string[], minute: number, kinds: Need['kind'][] | null = null) => {
  const found = newNeeds(needs, new Set(seen), { kinds, quiet: night }, minute);
  return { show: found.show.map(({ key }) => key), seen: [...found.seen] };
};
const noon = 12 * 60;
const midnight = 0;

test('a need is shown once, and again only if it returns', () => {
  expect(keys([need('a'), need('b')], ['a'], noon)).toEqual({ show: ['b'], seen: ['a', 'b'] });
  expect(keys([], ['a'], noon)).toEqual({ show: [], seen: [] });
});

test('only the kinds asked for are shown', () => {
  expect(keys([need('a'), need('b', 'run_failing')], [], noon, ['run_failing']).show).toEqual(['b']);
});

test('a need from quiet hours is shown afterwards if it still exists', () => {
  const atNight = keys([need('a')], [], midnight);
  expect(atNight).toEqual({ show: [], seen: [] });
  expect(keys([need('a')], atNight.seen, 7 * 60).show).toEqual(['a']);
  expect(keys([need('a')], ['a'], midnight)).toEqual({ show: [], seen: ['a'] });
});

test.each(['22-7', '24:00-07:00', '22:60-07:00', 'night'])('%s is not a pair of times', (text) => {
  expect(readQuietHours(text)).toBeNull();
});
