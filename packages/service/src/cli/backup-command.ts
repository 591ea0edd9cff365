import type { Command } from 'commander';
import { backUp } from '../app/backup.ts';
import { localConfig, onlyArgument, printOutcome } from './local-command.ts';
import { amountOf, sizeOf } from './sizes.ts';
import { userFile } from './user-folder.ts';

/** `signalbox backup`: everything that a data path holds, while the service runs. */
export function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('<target>', 'a new folder, or a new file that ends in .tar.gz')
    .description('back up the store, run archives and event models of this machine; the service may keep running')
    .option('--json', 'print what was copied as JSON')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_: string, { json }: { json?: boolean }, command: Command) => {
      const target = onlyArgument(command);
      return printOutcome(async () => {
        const config = localConfig();
        const to = userFile(target);
        const manifest = await backUp(config, to, new Date().toISOString());
        if (json) return `${JSON.stringify({ target: to, ...manifest }, null, 2)}\n`;
        return [
          `Backed up ${config.dataPath} to ${to}`,
          `  store   ${amountOf(manifest.events, 'event')}${manifest.store === 'postgres' ? ' of the shared PostgreSQL' : ''}`,
          `  files   ${amountOf(manifest.files, 'file')}, ${sizeOf(manifest.bytes)}`,
          `To restore it, stop the service and run: signalbox restore ${target}\n`,
        ].join('\n');
      });
    });
}
