import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { demoSteps } from '../browser/demo.ts';
import { publishedFolder } from '../files/package-folder.ts';
import { platform } from '../platform/platform.ts';
import { CallFailed, consoleUrlOption, createClient, createConsoleClient, exitCodes } from './client.ts';
import { playRuns } from './demo-runs.ts';
import { unlessRefused } from './unless-refused.ts';

const examples = publishedFolder('examples', 'examples');

type Options = { into?: string; console?: string; open: boolean };

/** `signalbox demo`: a four-minute story on a separate service, or a static example in a running one. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('play a story of agents, plans and test runs on a separate service; removes everything at the end')
    .option('--no-open', 'do not open the browser')
    .option('--into <address>', 'load the same examples, without the story, into a running service instead')
    .option('--console <address>', `with --into: ${consoleUrlOption[1]}`)
    .addHelpText('after', '\nPORT=8026,8025 sets the ports; without it free ports are chosen.')
    .action(async ({ into, console, open }: Options) => {
      if (into !== undefined) return loadInto(into, console);
      if (platform.unsupported !== null) throw new CallFailed(platform.unsupported, exitCodes.refused);
      // Loaded only here: it imports the whole service.
      const { playLivingDemo } = await import('./demo/living-demo.ts');
      const { isStartRefusal } = await import('./start-refusals.ts');
      return playLivingDemo(readExamples(), { open, ports: process.env.PORT ?? '0,0' }).catch((fault: unknown) => {
        throw isStartRefusal(fault) ? new CallFailed(fault.message, exitCodes.refused) : fault;
      });
    });
}

async function loadInto(into: string, console: string | undefined): Promise<void> {
  const client = createClient(into);
  for (const { title, play } of demoSteps(documentsIn()))
    process.stdout.write(`${await unlessRefused(title, () => play(client.call))}\n`);
  for await (const line of playRuns(createConsoleClient(console), examples, Date.now()))
    process.stdout.write(`${line}\n`);
  process.stdout.write(`\nOpen ${client.url} to see it.\n`);
}

function readExamples() {
  const read = (...path: string[]) => readFileSync(join(examples, ...path), 'utf8');
  return {
    plans: documentsIn(),
    sdkRun: read('runs', 'sdk-unit.ndjson'),
    shopRun: read('runs', 'checkout-specs.ndjson'),
    model: JSON.parse(read('shop.event-model.json')) as object,
  };
}

function documentsIn(): Record<string, string> {
  const plans = join(examples, 'plans');
  const files = readdirSync(plans).filter((name) => name.endsWith('.yaml'));
  return Object.fromEntries(
    files.map((name) => [name.replace(/\.yaml$/, ''), readFileSync(join(plans, name), 'utf8')]),
  );
}
