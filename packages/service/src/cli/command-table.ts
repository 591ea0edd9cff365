import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, Command } from 'commander';
import { packageFolder } from '../files/package-folder.ts';
import { addCalls, addCommands, commandFiles } from './command-files.ts';

/** The facts about a command that help, completion and suggestions need. */
type CommandRow = {
  /** Its name and arguments, in commander's format. */
  usage: string;
  description: string;
  group: string;
  /** Flags, in commander's format. */
  options: string[];
  words: CommandRow[];
};

/** Written by the build: loading every command for its description takes half a second. */
export const tableFile = 'cli/commands.json';

/** Adds all commands: only their names if the build wrote them down, else the commands themselves. */
export async function addAll(program: Command): Promise<void> {
  const file = join(packageFolder, tableFile);
  if (!existsSync(file)) return loadAll(program);
  const rows: readonly CommandRow[] = JSON.parse(readFileSync(file, 'utf8'));
  addRows(program, rows);
}

async function loadAll(program: Command): Promise<void> {
  for (const file of commandFiles) await addCommands(program, file, addAll);
  await addCalls(program);
}

function addRows(parent: Command, rows: readonly CommandRow[]): void {
  for (const { usage, description, group, options, words } of rows) {
    const command = parent.command(usage).description(description).helpGroup(group);
    for (const flags of options) command.option(flags);
    addRows(command, words);
  }
}

export async function commandTable(): Promise<string> {
  const program = new Command('signalbox');
  await loadAll(program);
  return JSON.stringify(program.commands.map(rowOf));
}

function argumentText(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

const rowOf = (command: Command): CommandRow => ({
  usage: [command.name(), ...command.registeredArguments.map(argumentText)].join(' '),
  description: command.description(),
  group: command.helpGroup(),
  options: command.options.map(({ flags }) => flags),
  words: command.commands.map(rowOf),
});
