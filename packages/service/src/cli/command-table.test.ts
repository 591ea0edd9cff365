import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addAll } from './command-table.ts';
import { completionScript } from './completion-command.ts';

const built = (...args: string[]): string =>
  execFileSync(process.execPath, [join(import.meta.dirname, '../../dist/cli/bin.js'), ...args], { encoding: 'utf8' });

test('help and completion of the built program list every command', async () => {
  const program = new Command('signalbox');
  await addAll(program);
  const [, groups] = program.helpInformation().split('\nWork:\n');
  expect(groups).toMatch(/Commands that call the REST API/);
  expect(built('--help')).toContain(groups);
  for (const shell of ['bash', 'zsh', 'fish'])
    expect(built('completion', shell)).toBe(completionScript(shell, program));
});

test('a misspelt command gets a suggestion, and the help of a command lists its options', () => {
  expect(() => built('claimm')).toThrow('Did you mean "claim"?');
  expect(built('help', 'claim')).toContain('--as <');
});
