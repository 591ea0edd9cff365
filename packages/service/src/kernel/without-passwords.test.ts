import { expect, test } from 'vitest';
import { withoutPasswords } from './without-passwords.ts';

test('no password of an address is left, wherever it stands in a text', () => {
  expect(withoutPasswords('GET https://ada:hush@host/x and postgres://bob:a:b@db:5432/y')).toBe(
    'GET https://ada:***@host/x and postgres://bob:***@db:5432/y',
  );
  expect(withoutPasswords('{"url":"https://ghp_abc@host","store":"postgres://ada@db"}')).toBe(
    '{"url":"https://***@host","store":"postgres://ada@db"}',
  );
  expect(withoutPasswords('http://localhost:5526/a?b=c@d mail@host')).toBe('http://localhost:5526/a?b=c@d mail@host');
});
