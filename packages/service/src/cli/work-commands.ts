import type { Command } from 'commander';
import { typed } from '../app/cli-command.ts';
import { agentName, asOption } from './agent-name.ts';
import { createClient, exitCodes, type RestClient, urlOption } from './client.ts';
import { untilText } from './figures.ts';
import { parseRef } from './node-ref.ts';
import { paint, printAnswer, visible } from './table.ts';
import { claimText, readyText, whyText } from './work-text.ts';

type Options = { url?: string; json?: boolean; as?: string };
type Filters = { plan?: string; repository?: string; label?: string };
type Answer = { text: string; value: unknown; failed?: boolean };

/** The work loop for a person at a terminal; agents use it over MCP. */
export function addWork(program: Command): void {
  const word = (syntax: string, description: string) =>
    program
      .command(syntax)
      .description(description)
      .option('--json', 'print JSON')
      .option(...urlOption);
  const filtered = (syntax: string, description: string) =>
    word(syntax, description)
      .option('--plan <slug>', 'only nodes of this plan')
      .option('--repository <owner/name>', 'only nodes of this repository')
      .option('--label <label>', 'only nodes with this label');

  filtered('ready', 'list work that can be claimed now; nodes that unblock the most come first')
    .option('--all', 'also list claimed nodes that are unblocked')
    .action((options: Options & Filters & { all?: boolean }) => answer(options, (client) => ready(client, options)));
  addClaiming(word, filtered);
  word('report <plan/node> <note...>', 'report progress on a node you hold; renews the lease')
    .option(...asOption)
    .option('--progress <share>', 'progress, from 0 to 1')
    .action((ref: string, note: string[], options: Options & { progress?: string }) =>
      answer(options, (client) => report(client, ref, note.join(' '), options)),
    );
  word('submit <plan/node> [note...]', 'submit a node: your part is finished, its proof is awaited')
    .option(...asOption)
    .action((ref: string, note: string[], options: Options) =>
      answer(options, (client) => submit(client, ref, note.join(' '), options)),
    );
  word('release <plan/node>', 'release a node, finished or not')
    .option(...asOption)
    .option('--note <text>', 'a note for the next holder')
    .option('--failed', 'record a failed attempt: you could not do the work')
    .option('--not-before <instant>', 'do not hand it out before this time, such as 2026-11-18T09:00:00Z')
    .action((ref: string, options: Options & Release) => answer(options, (client) => release(client, ref, options)));
  word('reset <plan/node>', 'forget the failed attempts of a node, so that it is handed out again')
    .option(...asOption)
    .action((ref: string, options: Options) => answer(options, (client) => reset(client, ref, options)));
  word('why <plan/node>', 'why a node is ready, blocked, claimed, failed or done').action(
    (ref: string, options: Options) => answer(options, (client) => why(client, ref)),
  );
  word('done <plan/node>', 'sign off a node that a person must approve (binding signOff)')
    .option(...asOption)
    .option('--note <text>', 'what you checked')
    .option('--revoke', 'revoke the sign-off')
    .option('--refuse', 'refuse the sign-off: the submission is not good enough')
    .action((ref: string, options: Options & SignOff) => answer(options, (client) => signOff(client, ref, options)));
}

type Word = (syntax: string, description: string) => Command;

function addClaiming(word: Word, filtered: Word): void {
  word('claim <plan/node>', 'claim a node: you hold it until the lease ends')
    .option(...asOption)
    .option('--minutes <count>', 'length of the lease (default 30)')
    .action((ref: string, options: Options & { minutes?: string }) =>
      answer(options, (client) => claim(client, ref, options)),
    );
  filtered('next', 'claim the ready node that unblocks the most')
    .option(...asOption)
    .option('--minutes <count>', 'length of the lease (default 30)')
    .action((options: Options & Filters & { minutes?: string }) =>
      answer(options, (client) => claimNext(client, options)),
    );
}

async function answer({ url, json }: Options, ask: (client: RestClient) => Promise<Answer>): Promise<void> {
  const { text, value, failed = false } = await ask(createClient(url));
  printAnswer(json, value, () => text);
  if (failed) process.exitCode = exitCodes.refused;
}

async function ready(client: RestClient, { plan, repository, label, all = false }: Filters & { all?: boolean }) {
  const value = await client.call('next_ready_nodes', {
    plan,
    repository,
    label,
    ...(all ? {} : { unclaimed: true }),
    view: 'brief',
  });
  return { value, text: readyText(value, all) };
}

const leaseOf = (minutes: string | undefined) => (minutes === undefined ? {} : { leaseMinutes: Number(minutes) });

async function claim(client: RestClient, ref: string, { as, minutes }: Options & { minutes?: string }) {
  const agent = await agentName(client, as);
  const value = await client.call('claim_node', { ...parseRef(ref), agent, ...leaseOf(minutes) });
  return { value, text: claimText(value, ref, agent, Date.now()), failed: !value.claimed };
}

async function claimNext(client: RestClient, options: Options & Filters & { minutes?: string }) {
  const { as, minutes, plan, repository, label } = options;
  const agent = await agentName(client, as);
  const value = await client.call('claim_next', { agent, plan, repository, label, ...leaseOf(minutes) });
  return { value, text: claimText(value, null, agent, Date.now()), failed: !value.claimed };
}

async function report(client: RestClient, ref: string, note: string, options: Options & { progress?: string }) {
  const agent = await agentName(client, options.as);
  const done = options.progress === undefined ? {} : { progress: Number(options.progress) };
  const value = await client.call('report_node', { ...parseRef(ref), agent, note, ...done });
  return { value, text: `Reported. You hold ${visible(ref)} until ${untilText(value.expiresAt, Date.now())}.\n` };
}

async function submit(client: RestClient, ref: string, note: string, { as }: Options) {
  const agent = await agentName(client, as);
  const said = note === '' ? {} : { note };
  const value = await client.call('release_node', { ...parseRef(ref), agent, outcome: 'submitted', ...said });
  const text = value.released
    ? `${paint('green', 'Submitted')} ${visible(ref)}: ${visible(value.node.why)}`
    : `${visible(ref)} is not held by you, so nothing was submitted: ${visible(value.node.why)}`;
  return { value, text: `${text}\nNext: "${typed('ready')}".\n`, failed: !value.released };
}

type Release = { note?: string; failed?: boolean; notBefore?: string };

async function release(client: RestClient, ref: string, { as, note, failed, notBefore }: Options & Release) {
  const agent = await agentName(client, as);
  const node = parseRef(ref);
  const value = await client.call('release_node', {
    ...node,
    agent,
    ...(note === undefined ? {} : { note }),
    ...(failed ? { outcome: 'failed' as const } : {}),
    ...(notBefore === undefined ? {} : { notBefore }),
  });
  const said = value.released
    ? `Released ${visible(ref)}: ${visible(value.node.why)}`
    : `You do not hold ${visible(ref)}, so nothing was released: ${visible(value.node.why)}`;
  return { value, text: `${said}\nNext: "${typed('ready')}".\n`, failed: !value.released };
}

async function reset(client: RestClient, ref: string, { as }: Options) {
  const by = await agentName(client, as);
  const value = await client.call('reset_node', { ...parseRef(ref), by });
  const said = value.reset ? `${paint('green', 'Reset')} ${visible(ref)}` : `No attempt of ${visible(ref)} had failed`;
  return { value, text: `${said}: ${visible(value.node.why)}\nNext: "${typed('ready')}".\n` };
}

async function why(client: RestClient, ref: string) {
  const value = await client.call('node_status', parseRef(ref));
  return { value, text: whyText(value, Date.now()) };
}

type SignOff = { note?: string; revoke?: boolean; refuse?: boolean };

async function signOff(client: RestClient, ref: string, options: Options & SignOff) {
  const { as, note, revoke, refuse } = options;
  const by = await agentName(client, as);
  const value = await client.call('sign_off_node', {
    ...parseRef(ref),
    by,
    ...(note === undefined ? {} : { note }),
    ...(revoke ? { revoke } : {}),
    ...(refuse ? { refuse } : {}),
  });
  const said = refuse
    ? `${paint('yellow', 'Refused')} to sign off ${visible(ref)}`
    : revoke
      ? `${paint('green', 'Revoked')} the sign-off of ${visible(ref)}`
      : `${paint('green', 'Signed off')} ${visible(ref)}`;
  const freed =
    value.dependents.length > 0 && !revoke && !refuse ? ` It unblocks ${visible(value.dependents.join(', '))}.` : '';
  return { value, text: `${said} as ${visible(by)}.${freed}\nNext: "${typed('ready')}".\n` };
}
