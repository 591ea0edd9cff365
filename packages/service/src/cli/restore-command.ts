import type { Command } from 'commander';
import { restore } from '../app/restore.ts';
import { amountOf } from './figures.ts';
import { localConfig, onlyArgument, printOutcome } from './local-command.ts';
import { visible } from './table.ts';
import { userFile } from './user-folder.ts';

/** `signalbox restore`: restores a backup into the data path; overwrites data only with --replace. */
export function addRestore(program: Command): void {
  program
    .command('restore')
    .argument('<source>', 'a backup made with "signalbox backup"')
    .description('restore a backup into the data path; stop the service first')
    .option('--replace', 'set aside the existing data')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_: string, { replace = false }: { replace?: boolean }, command: Command) => {
      const source = onlyArgument(command);
      return printOutcome(async () => {
        const config = localConfig();
        const from = userFile(source);
        const { manifest, restored, replacedFolder, storeLeftOut } = await restore(
          config,
          from,
          replace,
          new Date().toISOString(),
        );
        const lines = [
          `Restored into ${config.dataPath}: ${visible(restored.join(', '))}`,
          `  made    ${visible(manifest.at)} by Signalbox ${visible(manifest.signalbox)}`,
          ...(storeLeftOut ? [] : [`  store   ${amountOf(manifest.events, 'event')}`]),
        ];
        if (replacedFolder) lines.push(`The previous data is in ${replacedFolder}; remove it once everything works.`);
        if (storeLeftOut) {
          lines.push(
            'The store of this machine is PostgreSQL, so the log in the backup was not restored.',
            `To load it into an empty database: signalbox migrate-store --from ${source} --to ADDRESS`,
          );
        }
        return `${lines.join('\n')}\n`;
      });
    });
}
