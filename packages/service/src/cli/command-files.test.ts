import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCommands, commandFiles } from './command-files.ts';

test.each(commandFiles)('the file adds exactly the commands $words', async (file) => {
  const program = new Command('signalbox');
  await addCommands(program, file, async () => undefined);
  expect(program.commands.map((command) => command.name()).sort()).toEqual([...file.words].sort());
});
