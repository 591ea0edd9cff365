import { expect, test } from 'vitest';
import { windowsCommand } from './windows-command.ts';

const files = new Set([
  'C:\\node\\node.exe',
  'C:\\node\\npx.cmd',
  'C:\\tools\\old.bat',
  '.\\node_modules\\.bin\\vitest.cmd',
]);
const surroundings = {
  env: { PATH: 'C:\\node;C:\\tools', PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' },
  isFile: (path: string) => files.has(path),
};
const started = (...command: string[]) => windowsCommand(command, surroundings);
const throughCmd = (line: string) => ({
  program: 'C:\\Windows\\cmd.exe',
  args: ['/d', '/s', '/c', line],
  verbatim: true,
});

test('a program is started directly, with its arguments unchanged', () => {
  expect(started('node', 'a b', '"q"', '%PATH%')).toEqual({
    program: 'C:\\node\\node.exe',
    args: ['a b', '"q"', '%PATH%'],
    verbatim: false,
  });
});

test.each([
  ['a program of npm', ['npx', 'vitest'], '"^"C:\\node\\npx.cmd^" ^^^"vitest^^^""'],
  ['one by its whole name', ['npx.cmd'], '"^"C:\\node\\npx.cmd^""'],
  ['one by its path', ['.\\node_modules\\.bin\\vitest', 'run'], '"^".\\node_modules\\.bin\\vitest.cmd^" ^^^"run^^^""'],
  ['a batch file', ['old'], '"^"C:\\tools\\old.bat^""'],
  ['blanks', ['npx', 'a b'], '"^"C:\\node\\npx.cmd^" ^^^"a b^^^""'],
  ['what cmd.exe would act on', ['npx', 'a&b|c>d'], '"^"C:\\node\\npx.cmd^" ^^^"a^^^&b^^^|c^^^>d^^^""'],
  ['a variable that is none', ['npx', '%PATH%'], '"^"C:\\node\\npx.cmd^" ^^^"^^^%PATH^^^%^^^""'],
  ['quotes', ['npx', 'say "hi"'], '"^"C:\\node\\npx.cmd^" ^^^"say \\^^^"hi\\^^^"^^^""'],
  ['a backslash at the end', ['npx', 'C:\\'], '"^"C:\\node\\npx.cmd^" ^^^"C:\\\\^^^""'],
])('cmd.exe is given %s so that the program gets it unchanged', (_what, command, line) => {
  expect(started(...command)).toEqual(throughCmd(line));
});

test('a program that is not found is left to the system to report', () => {
  expect(started('pnpm', 'test')).toEqual({ program: 'pnpm', args: ['test'], verbatim: false });
});
