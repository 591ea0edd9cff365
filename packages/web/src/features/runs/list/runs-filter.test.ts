import { expect, test } from 'vitest';
import { filterOf } from './runs-filter.ts';

const none = { q: null, which: null, tag: null, suite: null, repository: null };

test('an address without words asks for every run', () => {
  expect(filterOf(none)).toEqual({});
  expect(filterOf({ ...none, q: '  ', which: 'all' })).toEqual({});
});

test('the words of the address are what the service is asked for', () => {
  expect(filterOf({ q: ' main ', which: 'failed', tag: 'a/b', suite: 'unit', repository: '/code/shop' })).toEqual({
    search: 'main',
    failed: true,
    tag: 'a/b',
    suite: 'unit',
    repository: '/code/shop',
  });
  expect(filterOf({ ...none, which: 'live' })).toEqual({ state: 'running' });
});
