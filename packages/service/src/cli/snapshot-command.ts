import type { Command } from 'commander';
import { CallFailed, exitCodes } from './client.ts';
import { amountOf } from './figures.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { jsonText } from './table.ts';

/** `signalbox snapshot verify`: checks that the snapshot and the whole log give the same state. */
export function addSnapshot(program: Command): void {
  program
    .command('snapshot')
    .description('check the snapshot that speeds up the start')
    .command('verify')
    .description('compare the snapshot of this machine with the log; changes nothing')
    .option('--json', 'print what was compared as JSON')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(({ json }: { json?: boolean }) =>
      printOutcome(async () => {
        const { verifySnapshot } = await import('../app/verify-snapshot.ts');
        const config = localConfig();
        const check = await verifySnapshot(config);
        if (json) return jsonText(check);
        if (!check) return 'There is no snapshot for this program version: the next start reads the whole log.\n';
        const { sequence, events, differs, damaged } = check;
        if (damaged !== null) {
          throw new CallFailed(
            `The log is damaged: ${damaged}. Restore a backup: without its snapshot, the service would refuse to start with this log.`,
            exitCodes.refused,
          );
        }
        if (differs.length === 0)
          return `The snapshot at event ${sequence} and the log of ${amountOf(events, 'event')} match.\n`;
        throw new CallFailed(
          `The snapshot at event ${sequence} differs from the log (${differs.join(', ')}). Remove the file snapshot in ${config.dataPath}; the next start reads the whole log.`,
          exitCodes.refused,
        );
      }),
    );
}
