import { systemClock } from '../app/system-clock.ts';
import { routes } from '../browser/routes.ts';
import { Calls } from '../client/calls.ts';
import { Refused } from '../client/refused.ts';
import { watchSessions } from '../coordination/agents/io/watch-sessions.ts';
import { createAnnouncements } from '../kernel/announcements.ts';
import type { Clock } from '../kernel/clock.ts';
import { coalesced } from '../kernel/coalesced.ts';
import { Outbox } from './outbox.ts';

export type ObserveOptions = {
  /** Address of the service. */
  to: string;
  token: string | undefined;
  name: string;
  enter: string | undefined;
  version: string;
  claudePaths: readonly string[];
  folderOf: Parameters<typeof watchSessions>[0]['folderOf'];
  say: (line: string) => void;
  clock?: Clock;
};

const heartbeatMs = 5_000;

/** Sends what is seen here to a service until stopped. `refused` resolves with the reason the service takes nothing from it. */
export function observe({ to, token, name, enter, version, say, clock = systemClock, ...folders }: ObserveOptions) {
  const announcements = createAnnouncements();
  const onFault = (fault: unknown) => say(`Cannot observe sessions: ${String(fault)}`);
  const watch = watchSessions({ ...folders, host: name, clock, announcements, onFault });
  const calls = new Calls(routes, { url: to, token }, { retryMs: 0 });
  const outbox = new Outbox({ observer: name, life: crypto.randomUUID(), version, enter });
  const status = createStatus(say);
  let reject: (reason: string) => void = () => undefined;
  const refused = new Promise<string>((resolve) => {
    reject = resolve;
  });
  let isDue = true;

  async function sendOnce(): Promise<void> {
    if (watch.observedAt() === null) return;
    const next = outbox.next({ sessions: watch.sessions(), trees: watch.trees() }, clock.wall(), isDue);
    isDue = false;
    if (!next) return;
    try {
      const { resend } = (await calls.call('send_observations', next.batch)) as { resend: boolean };
      outbox.sent(next.changes, resend);
      if (resend) void share.run();
      status.connected(`Observing as ${name}, sending to ${to}.`);
    } catch (fault) {
      outbox.failed();
      const isFinal = fault instanceof Refused && [400, 401, 403].includes(fault.status);
      if (isFinal) reject(fault.message);
      else status.away(fault instanceof Error ? fault.message : String(fault));
    }
  }
  const share = coalesced(sendOnce);
  const share5s = () => {
    isDue = true;
    return share.run();
  };

  const stops = [announcements.listen(() => void share.run()), clock.every(heartbeatMs, share5s)];
  const started = watch.start().then((stop) => {
    stops.push(() => void stop());
    return share5s();
  });
  return {
    refused,
    started,
    async stop(): Promise<void> {
      for (const stop of stops) stop();
      await share.settled();
      await calls.call('send_observations', outbox.last(clock.wall())).catch(() => undefined);
      calls.close();
    },
  };
}

/** Says once that the service answers, and once that it does not. */
function createStatus(say: (line: string) => void) {
  let last = '';
  return {
    connected(line: string): void {
      if (last !== 'connected') say(line);
      last = 'connected';
    },
    away(reason: string): void {
      if (last !== reason) say(`${reason} Trying again.`);
      last = reason;
    },
  };
}
