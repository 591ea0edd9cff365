import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Need } from '../../live/wire.ts';
import { settings } from '../../ui/settings.ts';
import { withLocalTimes } from '../../ui/time.tsx';
import { needAppearances } from './need-appearance.ts';
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

/** One desktop notification for each need of a chosen kind; a click opens it. */
export function notifyOf(needs: readonly Need[], go: (href: string) => void): void {
  if (current() !== 'granted') return;
  const { notify } = settings.getState();
  for (const need of needs.filter(({ kind }) => notify.includes(kind))) {
    const { group } = needAppearances[need.kind];
    const title = need.kind === 'agent_waiting' ? `${need.title} waits for you` : `${group}: ${need.title}`;
    const shown = new Notification(title, { body: withLocalTimes(need.detail), tag: need.key });
    shown.onclick = () => {
      window.focus();
      go(needLink(need).href);
    };
  }
}
