import type { Command } from 'commander';
import type { StoreVersion } from '../app/store-version.ts';
import type { RunningVersion, UpgradeCheck } from '../app/upgrade-checks.ts';
import { version } from '../app/version.ts';
import { platform } from '../platform/platform.ts';
import { exitCodes } from './client.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { jsonText, table, visible } from './table.ts';

/** `signalbox upgrade --check`: compares this program with the store and the running service, and lists the steps. */
export function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description('compare this program with the store and the running service, and list the upgrade steps')
    .option('--check', 'only check (the default); exit code 1 if there are steps to do')
    .option('--json', 'print the findings as JSON')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(({ json }: { json?: boolean }) =>
      printOutcome(async () => {
        const { readStoreVersion } = await import('../app/store-version.ts');
        const { checkUpgrade, findRunning } = await import('../app/upgrade-checks.ts');
        const config = localConfig();
        const running = await findRunning(config);
        const manager = await platform.serviceManager();
        const found: Found = {
          program: version,
          service: running?.version ?? null,
          running,
          dataPath: config.dataPath,
          database: config.store === 'sqlite' ? null : new URL(config.store).host,
          store: await readStoreVersion(config),
          checks: await checkUpgrade(config, manager.kind === 'none' ? null : manager.definitionPath('signalbox')),
        };
        const steps = stepsOf(found);
        if (steps.length > 0) process.exitCode = exitCodes.refused;
        return json ? jsonText({ ...found, steps }) : upgradeText(found, steps);
      }),
    );
}

export type Found = {
  program: string;
  service: string | null;
  running: RunningVersion | null;
  dataPath: string;
  /** The host of a shared database; null for SQLite. */
  database: string | null;
  store: StoreVersion;
  checks: readonly UpgradeCheck[];
};

/** The steps in order; empty if everything matches. */
export function stepsOf({ program, service, store: { found, newest }, checks }: Found): string[] {
  const first = checks.flatMap(({ about, state, found: what }) => (state === 'todo' ? [`${about}: ${what}.`] : []));
  if (found !== null && found > newest)
    return [`The store was written by a newer Signalbox. Install that version, or restore a backup of this one.`];
  const backup =
    'Take a backup with this program, while the old one runs: signalbox backup before-upgrade.tar.gz (the first start also makes one, unless Service:UpgradeBackup=false).';
  const read = `Read "What you must do" for ${program} in CHANGELOG.md.`;
  if (found !== null && found < newest) {
    return [
      ...first,
      backup,
      read,
      'Stop the service and start it with this program: the store is migrated in one transaction, and older programs refuse it afterwards.',
    ];
  }
  if (service !== null && service !== program)
    return [...first, read, `Restart the service: ${service} is running, ${program} is installed.`];
  return first;
}

export function upgradeText(found: Found, steps: readonly string[]): string {
  const { program, service, running, dataPath, database, store, checks } = found;
  const rows = [
    ['program', program],
    ['service', running ? `${service}, process ${running.pid}, ${running.urls.join(' and ')}` : 'not running'],
    ['data path', dataPath],
    [
      'store',
      store.found === null
        ? `none yet${database === null ? '' : ` in ${database}`}; the first start creates version ${store.newest}`
        : `${database === null ? 'sqlite' : database}, version ${store.found}; this program writes ${store.newest}`,
    ],
    ...checks.map(({ about, state, found: what }) => [about, `${state === 'read' ? 'please check: ' : ''}${what}`]),
  ];
  const end =
    steps.length === 0
      ? '\nEverything is up to date. Nothing to do.\n'
      : `\nWhat to do:\n${steps.map((step, at) => `${at + 1}. ${visible(step)}\n`).join('')}`;
  return table(['WHAT', 'FOUND'], rows) + end;
}
