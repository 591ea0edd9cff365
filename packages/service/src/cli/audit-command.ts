import type { Command } from 'commander';
import { type AuditVerdict, verifyAudit } from '../app/audit-chain.ts';
import type { AuditPage } from '../kernel/audit.ts';
import { createClient, urlOption } from './client.ts';
import { localConfig } from './local-command.ts';
import { table } from './table.ts';

type Options = {
  url?: string;
  json?: boolean;
  name?: string;
  command?: string;
  denied?: boolean;
  limit: string;
  cursor?: string;
};

/** `signalbox audit`: who did what, newest first. Takes the operator's token or one of an admin. */
export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('every write and every denial: who, from where, through which interface, with which result')
    .option('--name <token>', 'only calls with this token')
    .option('--command <command>', 'only calls of this command')
    .option('--denied', 'only denied calls')
    .option('--limit <count>', 'maximum number', '50')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async ({ url, json, limit, name, command, denied, cursor }: Options) => {
      const filter = { name, command, denied, cursor, limit: Number(limit) };
      const page = await createClient(url).call('list_audit', filter);
      process.stdout.write(json ? `${JSON.stringify(page, null, 2)}\n` : auditText(page));
    });
  audit
    .command('verify')
    .description(
      'check on this machine that no line of the audit was changed or removed: each has a hash over the one before',
    )
    .option('--data-path <folder>', 'the folder of the service (default: its Service:DataPath)')
    .action(verify);
}

/** On the machine of the service: the files are read, not the service asked. */
async function verify({ dataPath }: { dataPath?: string }): Promise<void> {
  const folder = dataPath ?? localConfig().dataPath;
  const verdict = await verifyAudit(folder);
  process.stdout.write(verdictText(verdict, folder));
  if (verdict.broken.length > 0) process.exitCode = 1;
}

export function verdictText({ lines, unhashed, torn, since, broken }: AuditVerdict, folder: string): string {
  const older = unhashed > 0 ? ` ${unhashed} older lines have no hash.` : '';
  const cut = torn > 0 ? ` ${torn} lines were cut off by a crash.` : '';
  if (broken.length === 0)
    return lines === 0
      ? `No audit with hashes in ${folder}.${older}\n`
      : `The audit in ${folder} is complete since ${since}: ${lines} lines.${older}${cut}\n`;
  const shown = broken.slice(0, 20).map((one) => `  ${one}\n`);
  return `The audit in ${folder} was changed, or lost lines (${broken.length}):\n${shown.join('')}`;
}

export function auditText({ items, next }: AuditPage): string {
  if (items.length === 0) return 'No matching audit entries.\n';
  const rows = items.map((one) => [
    one.at,
    one.name,
    one.address,
    one.door,
    one.command,
    one.ref,
    one.count === undefined ? one.outcome : `${one.outcome} (${one.count} times)`,
  ]);
  const more = next === null ? '' : `More with: signalbox audit --cursor ${next}\n`;
  return table(['AT', 'NAME', 'FROM', 'DOOR', 'COMMAND', 'REF', 'OUTCOME'], rows) + more;
}
