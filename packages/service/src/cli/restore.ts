import type { Command } from 'commander';
import { restore } from '../app/restore.ts';
import { configHere, told, wordOf } from './keeping.ts';
import { amountOf } from './sizes.ts';
import { userFile } from './user-folder.ts';

/** `signalbox restore`: a backup into the data path, which it never overwrites unasked. */
export function addRestore(program: Command): void {
  program
    .command('restore')
    .argument('<source>', 'what signalbox backup made')
    .description('put a backup into the data path; the service must not run')
    .option('--replace', 'set aside what is there already')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_: string, { replace = false }: { replace?: boolean }, command: Command) => {
      const source = wordOf(command);
      return told(async () => {
        const config = configHere();
        const from = userFile(source);
        const { manifest, took, setAside, storeLeftOut } = await restore(
          config,
          from,
          replace,
          new Date().toISOString(),
        );
        const lines = [
          `Restored into ${config.dataPath}: ${took.join(', ')}`,
          `  made    ${manifest.at} by Signalbox ${manifest.signalbox}`,
          ...(storeLeftOut ? [] : [`  store   ${amountOf(manifest.events, 'event')}`]),
        ];
        if (setAside) lines.push(`What was there before lies in ${setAside}; remove it once all is well.`);
        if (storeLeftOut) {
          lines.push(
            'The store of this machine is PostgreSQL, so the log in the backup was left out.',
            `To load it into an empty database: signalbox migrate-store --from ${source} --to ADDRESS`,
          );
        }
        return `${lines.join('\n')}\n`;
      });
    });
}
