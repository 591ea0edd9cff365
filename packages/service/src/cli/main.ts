import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { routes } from '../browser/routes.ts';
import { CallFailed, exitCodes } from './client.ts';
import { addCalls, addCommands, commandFiles } from './command-files.ts';

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

/** Loads what the typed word needs; everything where the word is unknown, for the help and to name the word that was meant. */
async function loadCommands(typed: string): Promise<void> {
  if (typed === '--version' || typed === '-V') return;
  // Settings alone start the service.
  const word = /^--service:/i.test(typed) ? 'start' : typed;
  const file = commandFiles.find(({ words }) => words.includes(word));
  const isCall = Object.hasOwn(routes, word);
  const needsAll = word === 'completion' || !(file || isCall);
  for (const one of needsAll ? commandFiles : file ? [file] : []) await addCommands(program, one);
  if (needsAll || isCall) await addCalls(program);
}

// The reader may close its end early, as `head` does.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'EPIPE') throw fault;
  process.exit();
});

try {
  const args = process.argv.length === 2 ? [...process.argv, 'status'] : process.argv;
  await loadCommands(args[2] ?? '');
  await program.parseAsync(args);
} catch (fault) {
  if (fault instanceof CommanderError) process.exitCode = fault.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  else if (fault instanceof CallFailed) {
    process.stderr.write(`${fault.message}\n`);
    process.exitCode = fault.exitCode;
  } else throw fault;
}
