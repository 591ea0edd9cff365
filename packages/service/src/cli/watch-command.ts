import type { Command } from 'commander';
import { restRequest } from '../browser/rest-request.ts';
import { routes } from '../browser/routes.ts';
import { serviceAddress } from './addresses.ts';
import { CallFailed, exitCodes, urlOption } from './client.ts';
import { tokenFor } from './credentials.ts';
import { lineOf } from './watch-line.ts';
import { type WatchedMessage, watch } from './watch-stream.ts';

type Options = { url?: string; json?: true; types?: string; plan?: string; run?: string };

/** `signalbox watch`: prints every change as it happens, one line each. */
export function addWatch(program: Command): void {
  program
    .command('watch')
    .description('print every change, one line each; reconnects automatically')
    .option(...urlOption)
    .option('--json', 'print the messages as JSON, one object per line')
    .option('--types <names>', 'only these types, comma separated')
    .option('--plan <slug>', 'only messages about this plan')
    .option('--run <runId>', 'only messages about this run')
    .action(async (options: Options) => {
      process.on('SIGINT', () => process.exit(0));
      const print = (text: string, message: WatchedMessage) =>
        process.stdout.write(`${options.json ? text : lineOf(message)}\n`);
      const complain = (text: string) => process.stderr.write(`${text}\n`);
      const address = addressOf(options);
      await watch({ address, token: () => tokenFor(address.origin), print, complain });
    });
}

function addressOf({ url, types, plan, run }: Options): URL {
  const given = serviceAddress(url);
  if (!URL.canParse(given))
    throw new CallFailed(
      `${given} is not a valid address. Use an address such as http://localhost:5526.`,
      exitCodes.usage,
    );
  return new URL(given + restRequest(routes.messages, { types, plan, runId: run }).path);
}
