import type { Command } from 'commander';
import type { AuditPage } from '../kernel/audit.ts';
import { createClient, urlOption } from './client.ts';
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
  program
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
}

export function auditText({ items, next }: AuditPage): string {
  if (items.length === 0) return 'No matching audit entries.\n';
  const rows = items.map((one) => [one.at, one.name, one.address, one.door, one.command, one.ref, one.outcome]);
  const more = next === null ? '' : `More with: signalbox audit --cursor ${next}\n`;
  return table(['AT', 'NAME', 'FROM', 'DOOR', 'COMMAND', 'REF', 'OUTCOME'], rows) + more;
}
