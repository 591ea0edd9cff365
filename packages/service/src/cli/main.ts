import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { addAgents } from './agents.ts';
import { addBackup } from './backup.ts';
import { CallFailed, exitCodes } from './client.ts';
import { addCompletion } from './completion.ts';
import { addConnect } from './connect.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addEventModel } from './event-model.ts';
import { addImport } from './import.ts';
import { addLicence } from './licence.ts';
import { addMigrateStore } from './migrate-store.ts';
import { addPlans } from './plans.ts';
import { addRegistryCommands } from './registry-commands.ts';
import { addRestore } from './restore.ts';
import { addRun } from './run.ts';
import { addRuns } from './runs.ts';
import { addStart } from './start.ts';
import { addWatch } from './watch.ts';

const program = new Command('signalbox')
  .description('The signal box for coding agents: plans, claims, sessions and test runs in one place.')
  .version(version)
  .showHelpAfterError('(signalbox --help tells the words there are)')
  .addHelpText(
    'after',
    `
SIGNALBOX_SERVICE_URL and SIGNALBOX_URL name a service and a run console elsewhere, SIGNALBOX_TOKEN their token.
Exit codes: 0 done, 1 refused or failed, 2 wrong words, 3 no service to be reached.`,
  )
  .exitOverride();

addStart(program);
addWatch(program);
addDoctor(program);
addPlans(program);
addAgents(program);
addDemo(program);
addEventModel(program);
addRuns(program);
addImport(program);
addLicence(program);
addBackup(program);
addRestore(program);
addMigrateStore(program);
addRun(program);
addConnect(program);
addCompletion(program);
addRegistryCommands(program);

// Whoever reads us may have had enough, as `head` has.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'EPIPE') throw fault;
  process.exit();
});

try {
  await program.parseAsync();
} catch (fault) {
  if (fault instanceof CommanderError) process.exitCode = fault.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  else if (fault instanceof CallFailed) {
    process.stderr.write(`${fault.message}\n`);
    process.exitCode = fault.exitCode;
  } else throw fault;
}
