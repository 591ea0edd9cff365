import type { Command } from 'commander';
import { backUp } from '../app/backup.ts';
import type { Manifest } from '../app/backup-manifest.ts';
import { amountOf, sizeOf } from './figures.ts';
import { localConfig, onlyArgument, printOutcome } from './local-command.ts';
import { jsonText, table, visible } from './table.ts';
import { userFile } from './user-folder.ts';

type Options = { json?: boolean };

/** `signalbox backup`: copies everything in a data path while the service runs, and checks backups. */
export function addBackup(program: Command): void {
  const backup = program
    .command('backup')
    .argument('<target>', 'a new folder, or a new file that ends in .tar.gz')
    .description('back up the store, run archives and event models of this machine; the service may keep running')
    .option('--json', 'print what was copied as JSON')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_: string, { json }: Options, command: Command) => {
      const target = onlyArgument(command);
      return printOutcome(async () => {
        const config = localConfig();
        const to = userFile(target);
        const manifest = await backUp(config, to, new Date().toISOString());
        if (json) return manifestJson(to, manifest);
        return [
          `Backed up ${config.dataPath} to ${to}`,
          ...contentLines(manifest),
          `To restore it, stop the service and run: signalbox restore ${target}\n`,
        ].join('\n');
      });
    });
  addCheck(
    backup,
    'verify',
    'check a backup against its own list, file by file and event by event; changes nothing',
    verify,
  );
  addCheck(
    backup,
    'drill',
    'restore a backup into a temporary folder, start a service on it on free ports, and compare the counts',
    drill,
  );
}

type Check = (source: string, json: boolean) => Promise<string>;

function addCheck(backup: Command, word: string, description: string, check: Check): void {
  backup
    .command(word)
    .argument('<backup>', 'a backup made with "signalbox backup"')
    .description(description)
    .option('--json', 'print what was compared as JSON')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_: string, { json = false }: Options, command: Command) =>
      printOutcome(() => check(userFile(onlyArgument(command)), json)),
    );
}

async function verify(source: string, json: boolean): Promise<string> {
  const { verifyBackup } = await import('../app/verify-backup.ts');
  const manifest = await verifyBackup(source);
  return json ? manifestJson(source, manifest) : [`${source} is complete.`, ...contentLines(manifest), ''].join('\n');
}

async function drill(source: string, json: boolean): Promise<string> {
  const { drillBackup } = await import('../app/backup-drill.ts');
  const { compared } = await drillBackup(source, new Date().toISOString());
  if (json) return jsonText({ source, compared });
  const rows = compared.map(({ what, backup, service }) => [what, backup, service]);
  return `${table(['WHAT', 'BACKUP', 'SERVICE'], rows)}\n${source} was restored, started and compared: a restore works.\n`;
}

const manifestJson = (target: string, { contents, ...manifest }: Manifest): string =>
  jsonText({ target, ...manifest, sealed: contents !== null });

/** A manifest is untrusted: anybody may have written it. */
function contentLines({ store, events, files, bytes, warnings, contents }: Manifest): string[] {
  return [
    `  store   ${amountOf(events, 'event')}${store === 'postgres' ? ' of the shared PostgreSQL' : ''}, each compared with its checksum`,
    `  files   ${amountOf(files, 'file')}, ${sizeOf(bytes)}${contents === null ? '; made before 0.3, without a list of checksums' : ''}`,
    ...warnings.map((warning) => `  warning ${visible(warning)}`),
  ];
}
