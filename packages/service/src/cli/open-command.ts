import type { Command } from 'commander';
import { platform } from '../platform/platform.ts';
import { CallFailed, createClient, exitCodes, type RestClient, urlOption } from './client.ts';
import { pageAddress } from './page-address.ts';
import { visible } from './table.ts';

type Options = { url?: string; print?: boolean };

/** `signalbox open [what]`: opens the matching page in the browser. */
export function addOpen(program: Command): void {
  program
    .command('open')
    .description('open the page in the browser: the start page, a plan, a node (plan/node) or a run')
    .argument('[what]', 'plan, plan/node or run id')
    .option('--print', 'print the address without opening it')
    .option(...urlOption)
    .action(async (what: string | undefined, { url, print }: Options) => {
      const client = createClient(url);
      const address = `${client.url}${await addressOf(client, what)}`;
      if (print) return void process.stdout.write(`${address}\n`);
      const result = await platform.openInBrowser(address);
      process.stdout.write(
        result.opened ? `Opened ${address}\n` : `Open ${address} in your browser (${result.reason}).\n`,
      );
    });
}

/** Checked first, so that a mistyped name is reported here instead of opening an empty page. */
async function addressOf(client: RestClient, what: string | undefined): Promise<string> {
  if (what === undefined) {
    await client.call('me', {});
    return pageAddress.start;
  }
  const [plan = '', node] = what.split('/');
  if (node !== undefined) {
    await client.call('node_status', { plan, node });
    return pageAddress.node(plan, node);
  }
  const runs = await client.call('list_runs', {});
  const run = runs.find(({ runId }) => runId === what) ?? onlyOne(runs.filter(({ runId }) => runId.startsWith(what)));
  if (run) return pageAddress.run(run.runId);
  const plans = await client.call('list_plans', {});
  if (plans.some(({ slug }) => slug === what)) return pageAddress.plan(what);
  throw new CallFailed(
    `No plan, node or run is called ${visible(what)}. "signalbox plans" and "signalbox runs" list them.`,
    exitCodes.refused,
  );
}

const onlyOne = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);
