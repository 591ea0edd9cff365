import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { routes } from '../browser/routes.ts';
import { nearest } from '../kernel/text.ts';
import { CallFailed, exitCodes } from './client.ts';
import { addCalls, addCommands, commandFiles } from './command-files.ts';
import { addAll } from './command-table.ts';
import { visible } from './table.ts';

const program = new Command('signalbox')
  .description('Local control room for coding agents: who is working on what, who is stuck, and what the tests prove.')
  .version(version)
  .showHelpAfterError('(signalbox --help lists all commands)')
  .addHelpText(
    'after',
    `
Set SIGNALBOX_SERVICE_URL and SIGNALBOX_URL to use a service and run console elsewhere, and SIGNALBOX_TOKEN to their token.
Exit codes: 0 done, 1 refused or failed, 2 usage error, 3 service unreachable.`,
  )
  .exitOverride();

/** Loads only the typed command. If it is unknown, all names are loaded, for the help and the suggestion. */
async function loadCommands(typed: string, next: string | undefined): Promise<void> {
  if (typed === '--version' || typed === '-V') return;
  const word = typed === 'help' && next !== undefined ? next : typed;
  const asksForHelp = ['help', '--help', '-h'].includes(word);
  // If only settings are given, the service is started.
  const meant = word.startsWith('-') && !asksForHelp ? 'start' : word;
  const file = commandFiles.find(({ words }) => words.includes(meant));
  if (file) return addCommands(program, file, addAll);
  if (Object.hasOwn(routes, meant)) return addCalls(program);
  await addAll(program);
  if (asksForHelp) return;
  const likely = nearest(
    word,
    program.commands.map((command) => command.name()),
  );
  program.error(`Unknown command "${visible(word)}".${likely ? ` Did you mean "${likely}"?` : ''}`);
}

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'EPIPE') throw fault;
  process.exit();
});

try {
  const args = process.argv.length === 2 ? [...process.argv, 'status'] : process.argv;
  await loadCommands(args[2] ?? '', args[3]);
  await program.parseAsync(args);
} catch (fault) {
  if (fault instanceof CommanderError) process.exitCode = fault.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  else if (fault instanceof CallFailed) {
    process.stderr.write(`${fault.message}\n`);
    process.exitCode = fault.exitCode;
  } else throw fault;
}
