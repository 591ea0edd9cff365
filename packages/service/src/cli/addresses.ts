import { trimEndOf } from '../kernel/text.ts';

// Loaded by every command, `prompt` included: it imports nothing that takes time to load.

type Env = Readonly<Record<string, string | undefined>>;

/** Publishers read SIGNALBOX_URL too, so it is the console's; coordination has a variable of its own. */
export const targets = {
  service: ['SIGNALBOX_SERVICE_URL', 'http://localhost:5526'],
  console: ['SIGNALBOX_URL', 'http://localhost:5525'],
} as const;

/** Empty means unset, and `host:port` an http address, as publishers read the same variables. */
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

export function addressOf(target: keyof typeof targets, url: string | undefined, env: Env): string {
  const [variable] = targets[target];
  const text = nonEmpty(url) ?? nonEmpty(env[variable]) ?? ownAddress(target, env);
  return trimEndOf(text.includes('://') ? text : `http://${text}`, '/');
}

export const serviceAddress = (url: string | undefined, env: Env = process.env): string =>
  addressOf('service', url, env);

export const tokenOf = (env: Env): string | undefined => nonEmpty(env.SIGNALBOX_TOKEN) ?? nonEmpty(env.Service__Token);
