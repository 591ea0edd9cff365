import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedBrowser } from './find-browser.ts';

const there =
  (...paths: string[]) =>
  (path: unknown) =>
    paths.includes(String(path));

test('the browser of CHROMIUM wins, and one that does not exist is not replaced by another', () => {
  const env = { CHROMIUM: '/opt/chrome', PATH: '/usr/bin' };
  expect(installedBrowser(env, there('/opt/chrome', '/usr/bin/chromium'), '')).toBe('/opt/chrome');
  expect(installedBrowser(env, there('/usr/bin/chromium'), '')).toBeUndefined();
});

test('an installed browser is found wherever PATH leads, else the one that Playwright has fetched', () => {
  const chrome = join('/snap/bin', 'google-chrome-stable');
  expect(installedBrowser({ PATH: '/bin:/snap/bin' }, there(chrome, '/cache/shell'), '/cache/shell')).toBe(chrome);
  expect(installedBrowser({ PATH: '/bin' }, there('/cache/shell'), '/cache/shell')).toBe('/cache/shell');
  expect(installedBrowser({}, there(), '/cache/shell')).toBeUndefined();
  const shell = join('/bin', 'chromium-headless-shell');
  expect(installedBrowser({ PATH: '/bin' }, there(shell, join('/bin', 'chromium')), '')).toBe(shell);
});
