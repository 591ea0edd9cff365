import { execFile } from 'node:child_process';
import { type Command, InvalidArgumentError } from 'commander';
import { restRequest } from '../browser/rest-request.ts';
import { routes } from '../browser/routes.ts';
import { type NeedKind, needKind } from '../coordination/needs/contract.ts';
import { platform } from '../platform/platform.ts';
import { asOption } from './agent-name.ts';
import { mayPass } from './call-failed.ts';
import { CallFailed, createClient, exitCodes, urlOption } from './client.ts';
import { tokenFor } from './credentials.ts';
import { newNeeds, type QuietHours, readQuietHours } from './notify/new-needs.ts';
import { visible } from './table.ts';
import { watch } from './watch-stream.ts';

type Options = { url?: string; as?: string; kinds?: NeedKind[]; quiet?: QuietHours };

/** No message reports that a session begins to wait, so needs are also polled. */
const lookEveryMs = 10_000;
/** A list that has not arrived by then is requested again. */
const patienceMs = 10_000;
/** If there are more needs than this, they are combined into one notification. */
const mostAtOnce = 3;

/** `signalbox notify`: desktop notifications of what needs a person, without an open page. */
export function addNotify(program: Command): void {
  program
    .command('notify')
    .description('show desktop notifications when something needs you, until Ctrl-C; no browser needed')
    .option('--kinds <names>', `only these, comma separated: ${needKind.options.join(', ')}`, readKinds)
    .option(
      '--quiet <from-to>',
      'quiet hours, such as 22:00-07:00; what still needs you is shown afterwards',
      readQuiet,
    )
    .option(...asOption)
    .option(...urlOption)
    .action(notify);
}

async function notify({ url, as, kinds, quiet }: Options): Promise<void> {
  const client = createClient(url, process.env, true);
  const person = as?.trim() || process.env.SIGNALBOX_AGENT?.trim();
  const list = async () =>
    (await client.call('list_needs', { for: person }, { signal: AbortSignal.timeout(patienceMs) })).needs;
  // Needs that already exist at the start are not shown.
  let seen: ReadonlySet<string> = new Set((await list()).map(({ key }) => key));
  const look = async () => {
    const now = new Date();
    const found = newNeeds(
      await list(),
      seen,
      { kinds: kinds ?? null, quiet: quiet ?? null },
      now.getHours() * 60 + now.getMinutes(),
    );
    seen = found.seen;
    for (const { title, detail } of found.show.slice(0, mostAtOnce)) await show(visible(title), visible(detail));
    const more = found.show.length - mostAtOnce;
    if (more > 0) await show('Signalbox', `${more} more ${more === 1 ? 'thing needs' : 'things need'} you`);
  };
  let looking: Promise<void> = Promise.resolve();
  const lookAgain = () => {
    looking = looking.then(look).catch(unlessAway).catch(giveUp);
  };
  process.stdout.write(`Showing what needs you at ${client.url}. Stop with Ctrl-C.\n`);
  setInterval(lookAgain, lookEveryMs);
  const address = new URL(client.url + restRequest(routes.messages, {}).path);
  await watch({
    address,
    token: () => tokenFor(client.url),
    print: lookAgain,
    complain: (text) => process.stderr.write(`${text}\n`),
  });
}

function unlessAway(fault: unknown): void {
  if (!(fault instanceof CallFailed)) throw fault;
  if (fault.exitCode !== exitCodes.unreachable && !mayPass(fault.status)) throw fault;
}

/** Nobody awaits a check, and the stream of messages would keep the process alive. */
function giveUp(fault: unknown): never {
  if (!(fault instanceof CallFailed)) throw fault;
  process.stderr.write(`${fault.message}\n`);
  process.exit(fault.exitCode);
}

async function show(title: string, text: string): Promise<void> {
  process.stdout.write(`${title}: ${text}\n`);
  const { program, args } = platform.notifier({ title, text });
  await new Promise<void>((resolve, reject) =>
    execFile(program, args, (fault) =>
      fault && 'code' in fault && fault.code === 'ENOENT'
        ? reject(
            new CallFailed(`${program} is not installed, but notifications need it on this system.`, exitCodes.refused),
          )
        : resolve(),
    ),
  );
}

function readKinds(text: string): NeedKind[] {
  return text.split(',').map((word) => {
    const { success, data } = needKind.safeParse(word.trim());
    if (!success) throw new InvalidArgumentError(`${word} is not one of ${needKind.options.join(', ')}.`);
    return data;
  });
}

function readQuiet(text: string): QuietHours {
  const hours = readQuietHours(text);
  if (hours === null) throw new InvalidArgumentError('It must be two times of day, such as 22:00-07:00.');
  return hours;
}
