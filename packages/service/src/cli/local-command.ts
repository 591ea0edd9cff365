import type { Command } from 'commander';
import { BadBackup } from '../app/backup-manifest.ts';
import { BadConfig, type Config, readConfig } from '../app/config.ts';
import { NotRegularFile } from '../files/regular-file.ts';
import { DataPathInUse, DataPathUnusable } from '../store/data-path.ts';
import { CallFailed, exitCodes } from './client.ts';
import { visible } from './table.ts';

/** The configuration of a service started in this folder and shell. */
export function localConfig(): Config {
  return readConfig({ env: process.env, args: process.argv.slice(2), cwd: process.cwd() }).config;
}

/** The single argument of a command, before or after configuration keys. */
export function onlyArgument(command: Command): string {
  const [word, ...more] = command.args.filter((each) => !each.startsWith('--'));
  if (word === undefined || more.length > 0)
    command.error(`Pass exactly one ${command.registeredArguments[0]?.name()}.`);
  return word;
}

/** Prints the result; an expected failure is printed as one sentence. */
export async function printOutcome(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(await work());
  } catch (fault) {
    const expected =
      fault instanceof BadBackup ||
      fault instanceof BadConfig ||
      fault instanceof DataPathInUse ||
      fault instanceof NotRegularFile ||
      fault instanceof DataPathUnusable;
    if (expected || isSystemError(fault))
      throw new CallFailed(fault.message.split('\n').map(visible).join('\n'), exitCodes.refused);
    throw fault;
  }
}

/** Errors such as a full disk, a read-only folder, or an unreachable database. */
const isSystemError = (fault: unknown): fault is Error => fault instanceof Error && 'code' in fault;
