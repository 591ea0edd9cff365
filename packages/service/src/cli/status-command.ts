import type { Command } from 'commander';
import { createClient, urlOption } from './client.ts';
import { statusText } from './status-text.ts';

/** `signalbox status`, and `signalbox` alone: how things stand and what to type next. */
export function addStatus(program: Command): void {
  program
    .command('status')
    .description('show the current state in ten lines, and the next command (same as "signalbox" without a command)')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async ({ url, json }: { url?: string; json?: boolean }) => {
      const client = createClient(url);
      const needs = await client.call('list_needs', {});
      process.stdout.write(json ? `${JSON.stringify(needs, null, 2)}\n` : statusText(needs, client.url));
    });
}
