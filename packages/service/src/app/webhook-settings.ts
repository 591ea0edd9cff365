import { hash } from 'node:crypto';
import { readPlainFile } from '../files/plain-file.ts';
import { errorCode } from '../kernel/error-code.ts';
import type { Receiver } from '../receivers/receivers.ts';
import { BadConfig } from './bad-config.ts';
import { gitHubReceiver, notifyReceiver, readReceivers, receiverOf } from './read-receivers.ts';
import type { Settings } from './settings.ts';

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
