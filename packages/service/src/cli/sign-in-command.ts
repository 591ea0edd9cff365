import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { RestApi } from '../browser/api.ts';
import { tokenOf } from './addresses.ts';
import { CallFailed, createClient, exitCodes, type RestClient, urlOption } from './client.ts';
import { credentialsPath, keep, keptFor } from './credentials.ts';
import { printAnswer, visible } from './table.ts';

type Options = { url?: string; browser?: boolean; json?: boolean };

/** `signalbox login`, `logout` and `whoami`: sign-in with the company's provider on the command line. */
export function addSignIn(program: Command): void {
  program
    .command('login')
    .description("sign in at the service's provider; later commands act under your name")
    .option('--no-browser', 'only print the address')
    .option(...urlOption)
    .action(async ({ url, browser }: Options) => {
      await signIn(createClient(url), browser !== false);
    });
  program
    .command('logout')
    .description('end the sign-in of this command line')
    .option(...urlOption)
    .action(async ({ url }: Options) => {
      const client = createClient(url);
      const kept = keptFor(client.url, process.env);
      if (!kept) return void process.stdout.write(`Nobody is signed in at ${client.url}.\n`);
      // The sign-in is always removed here; if the service is unreachable, it expires there.
      keep(client.url, undefined, process.env);
      const answered = await client.call('end_sign_in', { renewal: kept.renewal }).catch((fault: unknown) => fault);
      const isAway = answered instanceof CallFailed;
      process.stdout.write(
        visible(`${kept.name} is signed out${isAway ? ' here; the service does not answer' : ''}.`).concat('\n'),
      );
    });
  program
    .command('whoami')
    .description('show who the service thinks you are, and what you may do')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async ({ url, json }: Options) => {
      const client = createClient(url);
      const me = await client.call('me', {});
      printAnswer(json, me, () => `${visible(whoText(me, client.url))}\n`);
    });
}

async function signIn(client: RestClient, mayOpen: boolean): Promise<void> {
  const { provider } = await client.call('sign_in_options', {});
  if (provider === null)
    throw new CallFailed(
      `${client.url} has no sign-in provider. Set SIGNALBOX_TOKEN to your token instead.`,
      exitCodes.refused,
    );
  const started = await client.call('start_device_sign_in', {});
  const { userCode, verificationUri, verificationUriComplete } = started;
  process.stdout.write(visible(`Open ${verificationUri} and enter the code ${userCode}`).concat('\n'));
  if (mayOpen && process.stdout.isTTY && /^https?:/.test(verificationUriComplete ?? verificationUri)) {
    const { platform } = await import('../platform/platform.ts');
    await platform.openInBrowser(verificationUriComplete ?? verificationUri);
  }
  const pass = await waitFor(client, started);
  const { consoleUrl } = await createClient(client.url, { SIGNALBOX_TOKEN: pass.token }).call('me', {});
  keep(client.url, { ...pass, consoleUrl }, process.env);
  process.stdout.write(visible(`You are ${pass.name} at ${client.url}.`).concat('\n'));
  if (tokenOf(process.env) !== undefined)
    process.stderr.write(
      'SIGNALBOX_TOKEN is set, so commands still act with that token. Unset it to act as yourself.\n',
    );
  process.stdout.write(`Stored in ${credentialsPath(process.env)}; only you can read it.\n`);
}

type Started = RestApi['start_device_sign_in']['output'];

async function waitFor(client: RestClient, { device, interval, expiresIn }: Started) {
  let seconds = interval;
  for (let waited = 0; waited < expiresIn; waited += seconds) {
    await sleep(seconds * 1000);
    const answer = await client.call('finish_device_sign_in', { device });
    if (!('waiting' in answer)) return answer;
    if (answer.waiting === 'slower') seconds += 5;
  }
  throw new CallFailed('The code was not entered in time. Run "signalbox login" again.', exitCodes.refused);
}

function whoText({ name, kind, scopes, signedIn }: RestApi['me']['output'], url: string): string {
  const who = name ?? (kind === 'operator' ? 'the operator' : null);
  const caller = who === null ? `The service at ${url} requires no token.` : `You are ${who} at ${url}.`;
  const may = scopes.includes('admin') ? 'You may do everything.' : `Your scopes: ${scopes.join(', ')}.`;
  const until = signedIn ? `\nSigned in at ${signedIn.provider} until ${signedIn.until}.` : '';
  const unchecked = signedIn?.uncheckedSince
    ? `\n${signedIn.provider} does not answer: what you may do was last checked at ${signedIn.uncheckedSince}.`
    : '';
  return `${caller}\n${may}${until}${unchecked}`;
}
