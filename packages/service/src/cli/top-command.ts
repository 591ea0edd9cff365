import type { Command } from 'commander';
import { restRequest } from '../browser/rest-request.ts';
import { routes } from '../browser/routes.ts';
import { createClient, urlOption } from './client.ts';
import { tokenFor } from './credentials.ts';

type Options = { url?: string; lines?: boolean };

/** `signalbox top`: the board in the terminal. */
export function addTop(program: Command): void {
  program
    .command('top')
    .description('show the live board in the terminal: needs, sessions, claims, ready work, runs; "?" lists the keys')
    .option('--lines', 'print changes as plain lines instead, for a screen reader or a log')
    .option(...urlOption)
    .action(async ({ url, lines = false }: Options) => {
      const client = createClient(url, process.env, true);
      const { printBoard, showBoard } = await import('./top/top.ts');
      if (!(process.stdout.isTTY || lines)) return printBoard(client);
      const { watch } = await import('./watch-stream.ts');
      const address = new URL(client.url + restRequest(routes.messages, {}).path);
      const listen = (changed: () => void) => {
        // Without the stream, the board is polled every few seconds.
        watch({ address, token: () => tokenFor(client.url), print: changed, complain: changed }).catch(() => undefined);
      };
      await showBoard({ client, listen, lines });
      process.exit();
    });
}
