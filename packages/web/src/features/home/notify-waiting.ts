import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Need } from '../../live/wire.ts';
import { needLink } from './need-links.ts';

type Permission = NotificationPermission | 'unsupported';

const current = (): Permission =>
  typeof Notification === 'undefined' || !isSecureContext ? 'unsupported' : Notification.permission;

const permission = createStore<{ state: Permission }>(() => ({ state: current() }));

export const useNotifying = (): Permission => useStore(permission, ({ state }) => state);

export async function askToNotify(): Promise<void> {
  await Notification.requestPermission();
  permission.setState({ state: current() });
}

const isWaitingAgent = ({ kind }: Need): boolean => kind === 'agent_waiting';

/** The agents that began to wait since the last check; the first check is not news. */
export function newlyWaiting(before: readonly Need[] | undefined, after: readonly Need[]): Need[] {
  if (before === undefined) return [];
  const known = new Set(before.filter(isWaitingAgent).map(({ key }) => key));
  return after.filter((need) => isWaitingAgent(need) && !known.has(need.key));
}

/** One desktop notification for each agent that begins to wait; a click opens its session. */
export function notifyWaiting(needs: readonly Need[], go: (href: string) => void): void {
  if (current() !== 'granted') return;
  for (const need of needs) {
    const shown = new Notification(`${need.title} waits for you`, { body: need.detail, tag: need.key });
    shown.onclick = () => {
      window.focus();
      go(needLink(need).href);
    };
  }
}
