import type { Command } from 'commander';
import { type Recovery, recover } from '../app/recover.ts';
import { amountOf } from './figures.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { jsonText, visible } from './table.ts';
import { userFile } from './user-folder.ts';

type Options = { check?: boolean; replace?: boolean; json?: boolean };
const mostShown = 20;

/** `signalbox recover`: keeps everything readable of a damaged store, and reports the rest. */
export function addRecover(program: Command): void {
  program
    .command('recover')
    .argument('[source]', 'a damaged backup, data path or plain-text dump of PostgreSQL (default: Service:DataPath)')
    .description('keep every event that can be read from a damaged store, and list the others; stop the service first')
    .option('--check', 'only report what would be kept and lost')
    .option('--replace', 'move the existing data aside, if a source is given')
    .option('--json', 'print the report as JSON')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_: string | undefined, { check = false, replace = false, json }: Options, command: Command) =>
      printOutcome(async () => {
        const { dataPath } = localConfig();
        const [word] = command.args.filter((each) => !each.startsWith('--'));
        const source = word === undefined ? dataPath : userFile(word);
        const recovery = await recover({ dataPath, source, replace, check, at: new Date().toISOString() });
        return json ? jsonText(recovery) : recoveryText(recovery, dataPath, check);
      }),
    );
}

export function recoveryText(recovery: Recovery, dataPath: string, check: boolean): string {
  const { kept, lost, dropped, plans, claims, runs, replacedFolder } = recovery;
  const gone = [
    ...lost.map(lostText),
    ...dropped.map(({ sequence, stream }) => `event ${sequence} of ${visible(stream)}, which depends on a lost one`),
  ];
  const lines = [
    `${check ? 'Can be kept' : 'Kept'}: ${amountOf(kept, 'event')}. Lost: ${amountOf(gone.length, 'event')}.`,
    ...gone.slice(0, mostShown).map((one) => `  ${one}`),
    ...(gone.length > mostShown ? [`  and ${gone.length - mostShown} more: add --json`] : []),
    ...(plans.length > 0 ? [`Plans to check: ${visible(plans.join(', '))}`] : []),
    ...(claims.length > 0 ? [`Claims to check: ${visible(claims.join(', '))}`] : []),
    ...(runs !== null && runs > 0
      ? [
          'The database of runs was damaged. Runs missing from it are read from their archives again; they prove nothing until their suites run again.',
        ]
      : []),
  ];
  if (!check) {
    lines.push(`Signalbox can be started with ${dataPath}. The report is recovered-*.json in that folder.`);
    if (replacedFolder) lines.push(`The damaged data is in ${replacedFolder}; remove it once everything works.`);
  }
  return `${lines.join('\n')}\n`;
}

const lostText = ({ sequence, stream }: Recovery['lost'][number]): string =>
  `event ${sequence}${stream === null ? ', completely lost' : ` of ${visible(stream)}`}`;
