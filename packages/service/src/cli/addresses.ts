import { trimEndOf } from '../kernel/text.ts';
import { CallFailed, exitCodes } from './call-failed.ts';

// Every command loads this file, `prompt` included, so it must import nothing that is slow to load.

type Env = Readonly<Record<string, string | undefined>>;

/** SIGNALBOX_URL is the address of the console, because publishers read it too; coordination has its own variable. */
export const targets = {
  service: ['SIGNALBOX_SERVICE_URL', 'http://localhost:5526'],
  console: ['SIGNALBOX_URL', 'http://localhost:5525'],
} as const;

/** As in the publishers, an empty variable is unset and `host:port` is an http address. */
const nonEmpty = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** Where a service that is started in this shell listens: PORT and TLS are set in the environment. */
function ownAddress(target: keyof typeof targets, env: Env): string {
  const [first, second] = (env.PORT ?? '').split(',').map((text) => text.trim());
  const port = target === 'service' ? first : (nonEmpty(env.CONSOLE_PORT) ?? second);
  const isTls = nonEmpty(env.Service__TlsCert) !== undefined;
  const url = new URL(targets[target][1]);
  if (port && /^[1-9]\d*$/.test(port)) url.port = port;
  if (isTls) url.protocol = 'https:';
  return url.origin;
}

/** Without a scheme a lone word is more likely a mistake than a host. */
function isHost(text: string): boolean {
  const [host = ''] = text.split('/');
  return host === 'localhost' || host.includes('.') || host.includes(':');
}

/** Refuses text that is not an address, with exit code 2. */
export function addressOf(target: keyof typeof targets, url: string | undefined, env: Env): string {
  const [variable, usual] = targets[target];
  const option = nonEmpty(url);
  const given = option ?? nonEmpty(env[variable]);
  if (given === undefined) return ownAddress(target, env);
  const text = given.includes('://') ? given : isHost(given) ? `http://${given}` : '';
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return trimEndOf(text, '/');
  const what = JSON.stringify(option ?? `${variable}=${given}`);
  const example = usual.replace('localhost', '127.0.0.1');
  throw new CallFailed(`${what} is not an address. Use one such as ${example}.`, exitCodes.usage);
}

export const serviceAddress = (url: string | undefined, env: Env = process.env): string =>
  addressOf('service', url, env);

export const tokenOf = (env: Env): string | undefined => nonEmpty(env.SIGNALBOX_TOKEN) ?? nonEmpty(env.Service__Token);
