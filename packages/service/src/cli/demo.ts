import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { coordinationCommands } from '../coordination/registry.ts';
import { type DemoStep, demoSteps } from '../coordination/work/demo.ts';
import type { AnyCommand } from '../kernel/command.ts';
import { CallFailed, type Client, createClient, exitCodes, urlOption } from './client.ts';
import { restRequest } from './rest-request.ts';

/** Beside the checkout's packages, or inside the installed package. */
const folders = ['../../../../examples/plans', '../examples/plans'].map((path) => join(import.meta.dirname, path));

/** `signalbox demo`: three plans with work in progress, played into a running service. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('load three example plans with claims, notes and history into a running service')
    .option(...urlOption)
    .action(async ({ url }: { url?: string }) => {
      const client = createClient(url);
      for (const step of demoSteps(exampleDocuments())) process.stdout.write(`${await play(client, step)}\n`);
      process.stdout.write(`\nOpen ${client.url} to see it.\n`);
    });
}

function exampleDocuments(): Record<string, string> {
  const folder = folders.find((path) => existsSync(path));
  if (folder === undefined)
    throw new CallFailed('The example plans are not part of this installation.', exitCodes.refused);
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    files.map((name) => [name.replace(/\.yaml$/, ''), readFileSync(join(folder, name), 'utf8')]),
  );
}

async function play(client: Client, { command, input }: DemoStep): Promise<string> {
  const known = coordinationCommands.find(({ name }) => name === command);
  if (!known) throw new Error(`no command ${command}`);
  const { method, path, body, mediaType } = restRequest(known as AnyCommand<never>, input);
  const what = `${command} ${[input.plan, input.node].filter(Boolean).join('/')}`;
  try {
    await client.json(method, path, body, mediaType);
    return what;
  } catch (fault) {
    // Played a second time, some of it is so already.
    if (fault instanceof CallFailed && fault.exitCode === exitCodes.refused) return `${what}: ${fault.message}`;
    throw fault;
  }
}
