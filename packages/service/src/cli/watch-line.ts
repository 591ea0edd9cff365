import { visible } from './table.ts';
import type { WatchedMessage } from './watch-stream.ts';

type MessageData = Readonly<Record<string, unknown>>;

/** One message as a person reads it: when, what, about what, and the point of it. */
export function lineOf({ type, subject, time, data }: WatchedMessage): string {
  const at = (time ?? '').slice(11, 19);
  const line = `${at}  ${type.padEnd(19)}  ${subject ?? ''}`.trimEnd();
  const point = summaries[type]?.(data) ?? '';
  return visible(point === '' ? line : `${line}  ${point}`);
}

const summaries: Readonly<Record<string, (data: MessageData) => string>> = {
  plan_changed: ({ version, nodes }) => `version ${version}${listed(nodes, ': ')}`,
  claim_changed: ({ claim }) => (claim ? claimText(claim as MessageData) : 'free'),
  agents_changed: ({ sessions, trees }) => `${many(sessions, 'session')}, ${many(trees, 'tree')}`,
  run_changed: ({ run }) => runText((run ?? {}) as MessageData),
  run_events: ({ events }) => many(events, 'event'),
  run_ejected: ({ runIds }) => listed(runIds),
  reset: () => 'something was missed: read everything again',
};

const claimText = ({ agent, health, expiresAt, note }: MessageData): string =>
  `${agent} (${health}) until ${String(expiresAt).slice(11, 16)}${note ? `: ${note}` : ''}`;

const runText = ({ state, suite, passed, failed, running }: MessageData): string =>
  `${suite ?? ''} ${state}: ${passed ?? 0} passed, ${failed ?? 0} failed, ${running ?? 0} running`.trim();

const listed = (names: unknown, before = ''): string =>
  Array.isArray(names) && names.length > 0
    ? before + names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '')
    : '';

const many = (items: unknown, word: string): string => {
  const count = Array.isArray(items) ? items.length : 0;
  return `${count} ${word}${count === 1 ? '' : 's'}`;
};
