import type { Command } from 'commander';
import type { StoreVersion } from '../app/store-version.ts';
import { version } from '../app/version.ts';
import { createConsoleClient, exitCodes } from './client.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { table } from './table.ts';

/** `signalbox upgrade --check`: whether this program fits the store and the service that runs, and what to do. */
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
        const found = {
          program: version,
          service: await runningVersion(),
          store: await readStoreVersion(localConfig()),
        };
        const steps = stepsOf(found);
        if (steps.length > 0) process.exitCode = exitCodes.refused;
        return json ? `${JSON.stringify({ ...found, steps }, null, 2)}\n` : upgradeText(found, steps);
      }),
    );
}

type Found = { program: string; service: string | null; store: StoreVersion };

async function runningVersion(): Promise<string | null> {
  try {
    return (await createConsoleClient(undefined).call('ping', {}, { signal: AbortSignal.timeout(2_000) })).version;
  } catch {
    return null;
  }
}

/** In order; none where everything fits. */
export function stepsOf({ program, service, store: { found, newest } }: Found): string[] {
  if (found !== null && found > newest)
    return [`The store was written by a newer Signalbox. Install that version, or restore a backup of this one.`];
  const backup = 'Take a backup: signalbox backup before-upgrade.tar.gz';
  const read = `Read "What you must do" for ${program} in CHANGELOG.md.`;
  if (found !== null && found < newest) {
    return [
      backup,
      read,
      'Stop the service and start it with this program: the store is migrated in one transaction, and older programs refuse it afterwards.',
    ];
  }
  if (service !== null && service !== program)
    return [read, `Restart the service: ${service} is running, ${program} is installed.`];
  return [];
}

export function upgradeText(found: Found, steps: readonly string[]): string {
  const { program, service, store } = found;
  const rows = [
    ['program', program],
    ['service', service ?? 'not running'],
    [
      'store',
      store.found === null
        ? `none yet; the first start creates version ${store.newest}`
        : `version ${store.found}; this program writes ${store.newest}`,
    ],
  ];
  const end =
    steps.length === 0
      ? '\nEverything is up to date. Nothing to do.\n'
      : `\nWhat to do:\n${steps.map((step, at) => `${at + 1}. ${step}\n`).join('')}`;
  return table(['WHAT', 'FOUND'], rows) + end;
}
