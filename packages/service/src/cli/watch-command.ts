import type { Command } from 'commander';
import { restRequest } from '../browser/rest-request.ts';
import { routes } from '../browser/routes.ts';
import { type Message, readMessage } from '../kernel/messages.ts';
import { serviceAddress } from './addresses.ts';
import { urlOption } from './client.ts';
import { tokenFor } from './credentials.ts';
import { amountOf, clockTime } from './figures.ts';
import { visible } from './table.ts';
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
  return new URL(serviceAddress(url) + restRequest(routes.messages, { types, plan, runId: run }).path);
}

/** One message as a line: time, type, subject, and a summary for known types. */
function lineOf({ type, subject, time, data }: WatchedMessage): string {
  const line = `${time ? clockTime(time) : ''}  ${type.padEnd(19)}  ${subject ?? ''}`.trimEnd();
  const message = readMessage({ type, data });
  const point = message ? pointOf(message) : '';
  return visible(point === '' ? line : `${line}  ${point}`);
}

function pointOf(message: Message): string {
  switch (message.type) {
    case 'plan_changed':
      return `version ${message.data.version}${listed(message.data.nodes, ': ')}`;
    case 'claim_changed':
      return message.data.claim ? claimText(message.data.claim) : 'free';
    case 'agents_changed':
      return `${amountOf(message.data.sessions.length, 'session')}, ${amountOf(message.data.trees.length, 'tree')}`;
    case 'overlap_changed':
      return listed(message.data.paths);
    case 'run_changed':
      return runText(message.data.run);
    case 'run_events':
      return amountOf(message.data.events.length, 'event');
    case 'run_ejected':
      return listed(message.data.runIds);
    case 'reset':
      return 'messages were missed: read everything again';
    case 'store_changed':
      return message.data.staleSince === null
        ? 'the database is back'
        : `the database has been unreachable since ${message.data.staleSince}`;
    case 'repository_changed':
    case 'event_model_changed':
      return '';
  }
}

const claimText = ({ agent, health, expiresAt, note }: NonNullable<Message<'claim_changed'>['data']['claim']>) =>
  `${agent} (${health}) until ${expiresAt.slice(11, 16)} UTC${note ? `: ${note}` : ''}`;

const runText = ({ state, suite, passed, failed, running }: Message<'run_changed'>['data']['run']) =>
  `${suite} ${state}: ${passed} passed, ${failed} failed, ${running} running`;

const listed = (names: readonly string[], before = ''): string =>
  names.length > 0 ? before + names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '') : '';
