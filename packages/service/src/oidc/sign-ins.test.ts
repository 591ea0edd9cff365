import { expect, test } from 'vitest';
import { ownPath } from './sign-ins.ts';

test('after a sign-in the browser goes to a page of this service and to no other', () => {
  expect(ownPath('/plans/shop?node=cart#top')).toBe('/plans/shop?node=cart#top');
  for (const to of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'plans',
    '',
    '/api/sign-in/start',
  ])
    expect(ownPath(to), to).toBe('/');
});
