import { expect, test } from 'vitest';
import { linuxNotifier, macNotifier, windowsNotifier } from './notification.ts';

const hostile = { title: '--help', text: `it's "$(reboot)" \u2019; exit` };

test("a notification is shown by the system's own program, and untrusted text never becomes options or code", () => {
  expect(linuxNotifier(hostile, {})).toEqual({
    program: 'notify-send',
    args: ['--app-name=Signalbox', '--', hostile.title, hostile.text],
  });
  const { program, args } = macNotifier(hostile);
  expect([program, ...args.slice(-3)]).toEqual(['osascript', '--', hostile.title, hostile.text]);
  expect(args.slice(0, -2).join(' ')).not.toContain('reboot');
});

test('under WSL a notification is a toast of Windows, with every quote doubled', () => {
  const { program, args } = linuxNotifier(hostile, { WSL_DISTRO_NAME: 'Ubuntu' });
  expect(program).toBe('powershell.exe');
  const code = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
  expect(code).toContain(`'it''s "$(reboot)" ''; exit'`);
  expect(windowsNotifier(hostile).args).toEqual(args);
});
