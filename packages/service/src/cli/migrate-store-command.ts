import type { Command } from 'commander';
import { moveStore } from '../app/move-store.ts';
import { amountOf } from './figures.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { userFile } from './user-folder.ts';

/** `signalbox migrate-store`: copies the whole history from SQLite to PostgreSQL, byte for byte. */
export function addMigrateStore(program: Command): void {
  program
    .command('migrate-store')
    .description('copy the whole history of this machine into an empty PostgreSQL database; stop the service first')
    .requiredOption('--to <address>', 'postgres://user:password@host/database')
    .option('--from <folder>', 'data path or unpacked backup (default: Service:DataPath)')
    .allowUnknownOption()
    .action(({ to, from }: { to: string; from?: string }) =>
      printOutcome(async () => {
        const folder = from === undefined ? localConfig().dataPath : userFile(from);
        const { events, streams, keys, sha256 } = await moveStore(folder, to, new Date().toISOString());
        return [
          `Moved ${amountOf(events, 'event')} of ${amountOf(streams, 'stream')} and ${amountOf(keys, 'remembered answer')} into PostgreSQL.`,
          `Verified: read back byte for byte (sha256 ${sha256.slice(0, 16)}…).`,
          'Start the service with Service__Store set to that address; without it, this data path refuses to start. The SQLite file was not changed.',
          'Run archives and event models stay in the data path: they belong to this machine.\n',
        ].join('\n');
      }),
    );
}
