import type { Announcement } from '../../packages/service/src/kernel/messages.ts';
import type { Started } from '../start.ts';
import type { HubMessage } from './clients.ts';

/** Announces a message on the service's own feed, as its rooms do. */
export const announce = ({ running }: Pick<Started, 'running'>, message: Announcement): void =>
  running.announcements.announce(message);

/** Numbered messages, for tests that only care about order. */
export function announceNumbered(service: Pick<Started, 'running'>, from: number, to: number, padding = ''): void {
  for (let n = from; n <= to; n += 1)
    announce(service, { type: 'agents_changed', data: { sessions: [String(n)], trees: [padding] } });
}

export const numbersIn = (heard: readonly HubMessage[]): number[] =>
  heard.filter(({ type }) => type === 'agents_changed').map(({ data }) => Number(data.sessions[0]));

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Resolves once everything announced so far has been passed on. */
export const passTurns = async (many = 20): Promise<void> => {
  for (let n = 0; n < many; n += 1) await new Promise((resolve) => setImmediate(resolve));
};
