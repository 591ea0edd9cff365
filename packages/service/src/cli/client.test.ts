import { expect, test } from 'vitest';
import { serviceAddress, tokenOf } from './addresses.ts';
import { createConsoleClient, pathSegment } from './client.ts';

test('an address is read as in the publishers: empty means unset, and host:port is accepted', () => {
  const url = (text: string) => createConsoleClient(undefined, { SIGNALBOX_URL: text }).url;
  expect(['', ' ', 'build-box:7000', 'https://build-box/runs/'].map(url)).toEqual([
    'http://localhost:5525',
    'http://localhost:5525',
    'http://build-box:7000',
    'https://build-box/runs',
  ]);
  expect(serviceAddress('one:1', { SIGNALBOX_SERVICE_URL: 'two:2' })).toBe('http://one:1');
});

test('what is not an address is refused with what one looks like, and is never asked', () => {
  const refusal = (text: string) => {
    try {
      return createConsoleClient(text, {}).url;
    } catch (fault) {
      return fault;
    }
  };
  for (const text of ['nonsense', 'nonsense/runs', '5525', 'two words', 'ftp://box', 'http://', 'http://a b', '://'])
    expect(refusal(text), text).toMatchObject({
      message: `"${text}" is not an address. Use one such as http://127.0.0.1:5525.`,
      exitCode: 2,
    });
  expect(() => serviceAddress(undefined, { SIGNALBOX_SERVICE_URL: 'nonsense' })).toThrow(
    '"SIGNALBOX_SERVICE_URL=nonsense" is not an address. Use one such as http://127.0.0.1:5526.',
  );
  const accepted = ['localhost', 'box.example/base/', '[::1]:7000', 'http://box', 'HTTPS://box'];
  expect(accepted.map(refusal)).toEqual([
    'http://localhost',
    'http://box.example/base',
    'http://[::1]:7000',
    'http://box',
    'HTTPS://box',
  ]);
});

test('an empty token counts as unset', () => {
  expect(tokenOf({ SIGNALBOX_TOKEN: '', Service__Token: 'secret' })).toBe('secret');
  expect(tokenOf({ SIGNALBOX_TOKEN: '' })).toBeUndefined();
});

test('a name stays one segment of a URL, and `.` and `..` are rejected', () => {
  expect(['a b', 'x/y', '...', '.hidden'].map(pathSegment)).toEqual(['a%20b', 'x%2Fy', '...', '.hidden']);
  for (const dots of ['.', '..']) expect(() => pathSegment(dots)).toThrow(`"${dots}" is not a valid name.`);
});
