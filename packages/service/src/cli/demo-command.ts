import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { demoSteps } from '../browser/demo.ts';
import { CallFailed, consoleUrlOption, createClient, createConsoleClient, exitCodes, urlOption } from './client.ts';
import { playRuns } from './demo-runs.ts';
import { unlessRefused } from './unless-refused.ts';

/** Beside the checkout's packages, or inside the installed package. */
const folders = ['../../../../examples', '../examples'].map((path) => join(import.meta.dirname, path));

/** `signalbox demo`: plans with work in progress, runs and an event model, played into a running service. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('load example plans with claims and notes, test runs and an event model into a running service')
    .option(...urlOption)
    .option('--console <address>', consoleUrlOption[1])
    .action(async ({ url, console }: { url?: string; console?: string }) => {
      const client = createClient(url);
      const folder = examples();
      for (const { title, play } of demoSteps(documentsIn(folder)))
        process.stdout.write(`${await unlessRefused(title, () => play(client.call))}\n`);
      for await (const line of playRuns(createConsoleClient(console), folder, Date.now()))
        process.stdout.write(`${line}\n`);
      process.stdout.write(`\nOpen ${client.url} to see it.\n`);
    });
}

function examples(): string {
  const folder = folders.find((path) => existsSync(path));
  if (folder === undefined) throw new CallFailed('The examples are not part of this installation.', exitCodes.refused);
  return folder;
}

function documentsIn(folder: string): Record<string, string> {
  const plans = join(folder, 'plans');
  const files = readdirSync(plans).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    files.map((name) => [name.replace(/\.yaml$/, ''), readFileSync(join(plans, name), 'utf8')]),
  );
}
