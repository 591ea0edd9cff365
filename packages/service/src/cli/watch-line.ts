import { type Message, readMessage } from '../kernel/messages.ts';
import { visible } from './table.ts';
import { clockTime } from './time-text.ts';
import type { WatchedMessage } from './watch-stream.ts';

/** One message as a line: time, type, subject, and a summary for known types. */
export function lineOf({ type, subject, time, data }: WatchedMessage): string {
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
      return `${many(message.data.sessions, 'session')}, ${many(message.data.trees, 'tree')}`;
    case 'overlap_changed':
      return listed(message.data.paths);
    case 'run_changed':
      return runText(message.data.run);
    case 'run_events':
      return many(message.data.events, 'event');
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

const many = ({ length }: readonly unknown[], word: string): string => `${length} ${word}${length === 1 ? '' : 's'}`;
