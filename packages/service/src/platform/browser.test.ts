import { expect, test } from 'vitest';
import { linuxOpeners, macOpeners, windowsOpeners } from './browser.ts';

const url = 'http://localhost:5526/plans?a=1&b=2';
const opener = (program: string, ...args: string[]) => ({ program, args: [...args, url] });

test.each([
  ['a desktop of Linux', linuxOpeners(url, { DISPLAY: ':0' }), [opener('xdg-open')]],
  ['a desktop without X', linuxOpeners(url, { WAYLAND_DISPLAY: 'wayland-0' }), [opener('xdg-open')]],
  [
    'WSL, where the browser is that of Windows',
    linuxOpeners(url, { WSL_DISTRO_NAME: 'Ubuntu' }),
    [opener('wslview'), opener('rundll32.exe', 'url.dll,FileProtocolHandler')],
  ],
  ['a Mac', macOpeners(url, {}), [opener('open')]],
  ['Windows, by no shell that reads &', windowsOpeners(url), [opener('rundll32', 'url.dll,FileProtocolHandler')]],
  ['a browser that is named', linuxOpeners(url, { BROWSER: 'firefox' }), [opener('firefox')]],
  [
    'several that are named, one with a place for the address',
    macOpeners(url, { BROWSER: 'open -a %s Safari::w3m' }),
    [{ program: 'open', args: ['-a', url, 'Safari'] }, opener('w3m')],
  ],
])('a page is opened on %s', (_system, openers, programs) => {
  expect(openers).toEqual({ programs });
});

test.each([
  ['there is no display', linuxOpeners(url, { TERM: 'xterm' }), 'no display is available'],
  ['BROWSER says so', macOpeners(url, { BROWSER: 'none' }), 'BROWSER=none is set'],
])('no program is started if %s', (_reason, openers, none) => {
  expect(openers).toEqual({ none });
});
