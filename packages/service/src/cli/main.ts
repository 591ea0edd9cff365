import { Command, CommanderError } from 'commander';
import { version } from '../app/version.ts';
import { addAgents } from './agents-command.ts';
import { addAudit } from './audit-command.ts';
import { addBackup } from './backup-command.ts';
import { CallFailed, exitCodes } from './client.ts';
import { addCompletion } from './completion-command.ts';
import { addConnect } from './connect-command.ts';
import { addDemo } from './demo-command.ts';
import { addDoctor } from './doctor-command.ts';
import { addEventModel } from './event-model-command.ts';
import { groupHelp } from './help-groups.ts';
import { addImport } from './import-command.ts';
import { addLicence } from './licence-command.ts';
import { addMigrateStore } from './migrate-store-command.ts';
import { addOpen } from './open-command.ts';
import { addPlans } from './plans-command.ts';
import { addRegistryCommands } from './registry-commands.ts';
import { addRestore } from './restore-command.ts';
import { addRun } from './run-command.ts';
import { addRuns } from './runs-command.ts';
import { addService } from './service-command.ts';
import { addSnapshot } from './snapshot-command.ts';
import { addStart } from './start-command.ts';
import { addStatus } from './status-command.ts';
import { addSummary } from './summary-command.ts';
import { addTests } from './tests-command.ts';
import { addTokens } from './tokens-command.ts';
import { addUpgrade } from './upgrade-command.ts';
import { addWatch } from './watch-command.ts';
import { addWork } from './work-commands.ts';

const program = new Command('signalbox')
  .description('Local control room for coding agents: who is working on what, who is stuck, and what the tests prove.')
  .version(version)
  .showHelpAfterError('(signalbox --help lists all commands)')
  .addHelpText(
    'after',
    `
SIGNALBOX_SERVICE_URL and SIGNALBOX_URL name a service and a run console elsewhere, SIGNALBOX_TOKEN their token.
Exit codes: 0 done, 1 refused or failed, 2 usage error, 3 service unreachable.`,
  )
  .exitOverride();

addStatus(program);
addWork(program);
addPlans(program);
addAgents(program);
addOpen(program);
addRuns(program);
addSummary(program);
addTests(program);
addRun(program);
addImport(program);
addEventModel(program);
addWatch(program);
addStart(program);
addDemo(program);
addConnect(program);
addDoctor(program);
addService(program);
addUpgrade(program);
addCompletion(program);
addTokens(program);
addAudit(program);
addBackup(program);
addRestore(program);
addMigrateStore(program);
addSnapshot(program);
addLicence(program);
groupHelp(program);
addRegistryCommands(program);

// Whoever reads us may have had enough, as `head` has.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'EPIPE') throw fault;
  process.exit();
});

try {
  // Alone it tells how things stand; settings alone, as in `signalbox --Service:PlansPath=plans`, start the service.
  await program.parseAsync(process.argv.length === 2 ? [...process.argv, 'status'] : process.argv);
} catch (fault) {
  if (fault instanceof CommanderError) process.exitCode = fault.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  else if (fault instanceof CallFailed) {
    process.stderr.write(`${fault.message}\n`);
    process.exitCode = fault.exitCode;
  } else throw fault;
}
