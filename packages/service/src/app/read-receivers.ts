import { hash } from 'node:crypto';
import { z } from 'zod';
import { readPlainFile } from '../files/plain-file.ts';
import { withoutLogin } from '../kernel/address.ts';
import { errorCode } from '../kernel/error-code.ts';
import { nearest } from '../kernel/text.ts';
import { type OccurrenceType, occurrenceTypes } from '../receivers/occurrence.ts';
import { type Format, formats, type Receiver } from '../receivers/receivers.ts';
import { BadConfig } from './bad-config.ts';
import type { Settings } from './settings.ts';

const isType = (text: string): text is OccurrenceType => Object.hasOwn(occurrenceTypes, text);
const types = Object.keys(occurrenceTypes).filter(isType);

const eventName = z.string().refine(isType, {
  error: ({ input }) => {
    const likely = nearest(String(input), types);
    return `unknown event${likely ? `; did you mean ${likely}?` : ''}`;
  },
});

/** `whsec_` and 24 to 64 bytes in base64, as in the Standard Webhooks specification. */
const isWebhookSecret = (text: string): boolean => {
  const bytes = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text) ? Buffer.from(text.slice(6), 'base64').length : 0;
  return bytes >= 24 && bytes <= 64;
};

const receiver = z.strictObject({
  url: z.string().refine((url) => URL.canParse(url) && /^https?:/i.test(url), 'must be an http:// or https:// address'),
  name: z.string().min(1).max(60).optional(),
  events: z.array(eventName).min(1).optional(),
  plans: z.array(z.string().min(1)).min(1).optional(),
  secret: z
    .string()
    .refine(isWebhookSecret, 'must be whsec_ and 24 to 64 bytes in base64 (echo whsec_$(openssl rand -base64 32))')
    .optional(),
  format: z.enum(formats).default('cloudevents'),
});

const receivers = z.array(receiver).min(1).max(50);
export type WrittenReceiver = z.output<typeof receiver>;

/** The receivers in a JSON text, or the error in it; secrets are never quoted. */
export function readReceivers(text: string): WrittenReceiver[] | { fault: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { fault: 'is not valid JSON' };
  }
  const read = receivers.safeParse(Array.isArray(parsed) ? parsed : [parsed]);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return { fault: `${(issue?.path ?? []).join('.') || 'the list'}: ${issue?.message ?? 'is not a list of receivers'}` };
}

/** `hash` makes the id, because the address may contain a secret. */
export const receiverOf = (written: WrittenReceiver, hash: (text: string) => string): Receiver => {
  const { url, name, format, events, plans, secret } = written;
  return {
    id: hash(`${name ?? ''} ${url} ${format}`).slice(0, 12),
    name: name ?? new URL(url).hostname,
    url,
    shown: shownAddress(url, format),
    format,
    events: events ? new Set(events) : null,
    plans: plans?.map((plan) => plan.toLowerCase()) ?? null,
    secret,
  };
};

/** `Service:Notify` receives everything that needs a person. */
export function notifyReceiver(url: string, secret: string | undefined): Receiver {
  const format = isChat(url) ? 'slack' : 'notify';
  const events = new Set<OccurrenceType>(['claim_orphaned', 'tree_contested', 'node_ready', 'run_failed']);
  return {
    id: 'notify',
    name: 'Service:Notify',
    url,
    shown: shownAddress(url, format),
    format,
    events,
    plans: null,
    secret,
  };
}

/** The receiver that writes to GitHub, if configured. */
export const gitHubReceiver = (url: string, hasComments: boolean): Receiver => ({
  id: 'github',
  name: 'GitHub',
  url,
  shown: shownAddress(url, 'github'),
  format: 'github',
  events: hasComments ? new Set<OccurrenceType>(['node_submitted', 'node_done', 'node_failed', 'node_ready']) : null,
  plans: null,
  secret: undefined,
});

/** Slack and compatible services accept only a text. */
function isChat(url: string): boolean {
  const { hostname, pathname, searchParams } = new URL(url);
  return hostname === 'hooks.slack.com' || /\/slack\/?$/.test(pathname) || searchParams.get('format') === 'slack';
}

function shownAddress(url: string, format: Format): string {
  const { origin, pathname } = new URL(withoutLogin(url));
  return format === 'slack' || format === 'discord' ? `${origin}/…` : `${origin}${pathname}`;
}

const mostBytes = 1024 * 1024;

/** Every receiver address. */
export function readWebhooks({
  webhooks,
  notify,
  notifySecret,
  gitHubReport,
  gitHubReportToken,
  gitHubUrl = 'https://api.github.com',
}: Pick<
  Settings,
  'webhooks' | 'notify' | 'notifySecret' | 'gitHubReport' | 'gitHubReportToken' | 'gitHubUrl'
>): Receiver[] {
  if (gitHubReport !== 'off' && gitHubReportToken === undefined)
    throw new BadConfig('Service:GitHubReport needs Service:GitHubReportToken, a token that may write to GitHub.');
  const receivers = webhooks === undefined ? [] : receiversIn(webhooks);
  const ids = receivers.map(({ id }) => id);
  if (new Set(ids).size < ids.length)
    throw new BadConfig('Service:Webhooks contains an address twice. Give each of the two a different "name".');
  return [
    ...(notify === undefined ? [] : [notifyReceiver(notify, notifySecret)]),
    ...(gitHubReport === 'off' ? [] : [gitHubReceiver(gitHubUrl, gitHubReport === 'all')]),
    ...receivers,
  ];
}

function receiversIn(given: string): Receiver[] {
  const isJson = /^[[{]/.test(given);
  const read = readReceivers(isJson ? given : textOf(given));
  if ('fault' in read) throw new BadConfig(`Service:Webhooks${isJson ? '' : ` (${given})`}: ${read.fault}.`);
  return read.map((written) => receiverOf(written, (text) => hash('sha256', text, 'hex')));
}

function textOf(path: string): string {
  try {
    return readPlainFile(path, mostBytes).toString('utf8');
  } catch (fault) {
    throw new BadConfig(
      `Service:Webhooks names the file ${path}, which cannot be read (${errorCode(fault) ?? 'unreadable'}).`,
    );
  }
}
