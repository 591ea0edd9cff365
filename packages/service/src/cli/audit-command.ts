import type { Command } from 'commander';
import { type AuditVerdict, verifyAudit } from '../app/audit-chain.ts';
import type { AuditPage } from '../kernel/audit.ts';
import { createClient, urlOption } from './client.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { printAnswer, table } from './table.ts';

type Options = {
  url?: string;
  json?: boolean;
  name?: string;
  command?: string;
  denied?: boolean;
  limit: string;
  cursor?: string;
  all?: boolean;
  before?: string;
};

/** `signalbox audit`: who did what, newest first. Takes the operator's token or one of an admin. */
export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('list every write and every denial: who, from where, through which interface, and the result')
    .option('--name <token>', 'only calls with this token')
    .option('--command <command>', 'only calls of this command')
    .option('--denied', 'only denied calls')
    .option('--all', 'list the entries of all hosts of the store, and name the hosts that do not answer')
    .option('--before <time>', 'only entries up to this time')
    .option('--limit <count>', 'maximum number', '50')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async ({ url, json, limit, ...filter }: Options) => {
      const page = await createClient(url).call('list_audit', { ...filter, limit: Number(limit) });
      printAnswer(json, page, () => auditText(page));
    });
  audit
    .command('verify')
    .description(
      "check that no line of this machine's audit was changed or removed; each line has a hash of the one before",
    )
    .option('--data-path <folder>', 'data path of the service (default: Service:DataPath)')
    .action(verify);
}

/** Runs on the machine of the service: it reads the files and does not call the service. */
async function verify({ dataPath }: { dataPath?: string }): Promise<void> {
  await printOutcome(async () => {
    const folder = dataPath ?? localConfig().dataPath;
    const verdict = await verifyAudit(folder);
    if (verdict.broken.length > 0) process.exitCode = 1;
    return verdictText(verdict, folder);
  });
}

export function verdictText({ lines, unhashed, torn, since, broken }: AuditVerdict, folder: string): string {
  const older = unhashed > 0 ? ` ${unhashed} older lines have no hash.` : '';
  const cut = torn > 0 ? ` ${torn} lines were cut off by a crash.` : '';
  if (broken.length === 0)
    return lines === 0
      ? `No audit with hashes in ${folder}.${older}\n`
      : `The audit in ${folder} is complete since ${since}: ${lines} lines.${older}${cut}\n`;
  const shown = broken.slice(0, 20).map((one) => `  ${one}\n`);
  return `The audit in ${folder} was changed, or lines are missing (${broken.length}):\n${shown.join('')}`;
}

type ShownPage = Omit<AuditPage, 'items'> & {
  items: Array<AuditPage['items'][number] & { host?: string | undefined }>;
  hosts?: string[] | undefined;
  missing?: { host: string; why: string }[] | undefined;
};

export function auditText({ items, next, hosts, missing }: ShownPage): string {
  const absent = missing?.map(({ host, why }) => `The host ${host} is not included: it ${why}.\n`).join('') ?? '';
  const whose = missing ? absent : hosts ? `This host only (${hosts.join()}); --all includes all hosts.\n` : '';
  if (items.length === 0) return `No matching audit entries.\n${whose}`;
  const rows = items.map((one) => [
    ...(missing ? [one.host ?? ''] : []),
    one.at,
    one.name,
    one.address,
    one.door,
    one.command,
    one.ref,
    one.count === undefined ? one.outcome : `${one.outcome} (${one.count} times)`,
  ]);
  const more =
    next === null ? '' : `Older entries: signalbox audit ${missing ? '--all --before' : '--cursor'} ${next}\n`;
  const head = [...(missing ? ['HOST'] : []), 'AT', 'NAME', 'FROM', 'DOOR', 'COMMAND', 'REF', 'OUTCOME'];
  return table(head, rows) + more + whose;
}
