import { expect, test } from 'vitest';
import { loginOf, withoutLogin, withoutPasswords } from './address.ts';

test('an address is shown without its name and password', () => {
  expect(withoutLogin('https://ada:s%40cret@box.example:5525/a@b')).toBe('https://box.example:5525/a@b');
  expect(withoutLogin('https://ada:p@ss@box/x?y=@')).toBe('https://box/x?y=@');
  expect(withoutLogin('http://box/x@y')).toBe('http://box/x@y');
  expect(withoutLogin('no address @')).toBe('no address @');
  expect(loginOf('https://ada:s%40cret@box')).toBe('ada:s@cret');
  expect(loginOf('https://ada:%zz@box')).toBe('ada:%zz');
  expect(loginOf('https://box')).toBeUndefined();
});

test('passwords are removed from every address in a text', () => {
  expect(withoutPasswords('GET https://ada:hush@host/x and postgres://bob:a:b@db:5432/y')).toBe(
    'GET https://ada:***@host/x and postgres://bob:***@db:5432/y',
  );
  expect(withoutPasswords('{"url":"https://ghp_abc@host","store":"postgres://ada@db"}')).toBe(
    '{"url":"https://***@host","store":"postgres://ada@db"}',
  );
  expect(withoutPasswords('http://localhost:5526/a?b=c@d mail@host')).toBe('http://localhost:5526/a?b=c@d mail@host');
});
