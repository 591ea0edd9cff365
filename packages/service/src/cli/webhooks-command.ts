import type { Command } from 'commander';
import type { WebhookView } from '../coordination/notify/contract.ts';
import { createClient, urlOption } from './client.ts';
import { printAnswer, table } from './table.ts';

type Options = { url?: string; json?: boolean };
const jsonOption = ['--json', 'print JSON'] as const;

/** `signalbox webhooks`: the receivers of events and whether they accept them. */
export function addWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('list the receivers of events and their state, or test them');
  webhooks
    .command('list', { isDefault: true })
    .description('every receiver with its queue and last error')
    .option(...jsonOption)
    .option(...urlOption)
    .action(async ({ url, json }: Options) => {
      const all = await createClient(url).call('list_webhooks', {});
      printAnswer(json, all, () => webhooksText(all));
    });
  webhooks
    .command('test')
    .description('send a test event now; exit code 1 if a receiver does not accept it')
    .argument('[receiver]', 'name or id (default: all)')
    .option(...jsonOption)
    .option(...urlOption)
    .action(async (receiver: string | undefined, { url, json }: Options) => {
      const { results } = await createClient(url).call('test_webhooks', receiver === undefined ? {} : { receiver });
      const lines = results.map(({ name, accepted, status, error }) => [
        name,
        accepted ? `accepted (${status})` : `not accepted: ${error}`,
      ]);
      printAnswer(json, results, () => (results.length === 0 ? none : table(['NAME', 'RESULT'], lines)));
      if (results.some(({ accepted }) => !accepted)) process.exitCode = 1;
    });
}

const none = 'No webhooks. Set Service:Webhooks (docs/guides/webhooks.md) and restart the service.\n';

function webhooksText(all: readonly WebhookView[]): string {
  if (all.length === 0) return none;
  return table(
    ['NAME', 'FORMAT', 'EVENTS', 'SIGNED', 'STATE', 'WAITING', 'LAST ERROR'],
    all.map(({ name, format, events, signed, state, waiting, lastError }) => [
      name,
      format,
      events === null ? 'all' : String(events.length),
      signed ? 'yes' : 'no',
      state,
      String(waiting),
      lastError ?? '',
    ]),
  );
}
