import { systemClock } from '../app/system-clock.ts';
import { watchSessions } from '../coordination/agents/io/watch-sessions.ts';
import type { ObservationBatch } from '../coordination/observers/contract.ts';
import { createAnnouncements } from '../kernel/announcements.ts';
import type { Clock } from '../kernel/clock.ts';
import { coalesced } from '../kernel/coalesced.ts';
import { isObject } from '../kernel/is-object.ts';
import { Outbox } from './outbox.ts';
import { createPost } from './post.ts';

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
/** With these the service will refuse the same again, however often it is asked. */
const finalRefusals = [400, 401, 403, 404];

/** Sends what is seen here to a service until stopped. `refused` resolves with the reason the service takes nothing from it. */
export function observe({ to, token, name, enter, version, say, clock = systemClock, ...folders }: ObserveOptions) {
  const announcements = createAnnouncements();
  const onFault = (fault: unknown) => say(`Cannot observe sessions: ${String(fault)}`);
  const watch = watchSessions({ ...folders, host: name, clock, announcements, onFault });
  const line = createPost(to, token);
  const outbox = new Outbox({ observer: name, life: crypto.randomUUID(), version, enter });
  const sayOnce = createStatus(say);
  let refuse: (reason: string) => void = () => undefined;
  const refused = new Promise<string>((resolve) => {
    refuse = resolve;
  });
  let isDue = true;

  const send = async ({ observer, ...batch }: ObservationBatch) => {
    const { status, text } = await line.post(`/api/observers/${encodeURIComponent(observer)}`, batch);
    const { resend, detail } = membersOf(text);
    if (status === 200) return { resend: resend === true };
    const reason =
      typeof detail === 'string' ? detail : `${to} answered ${status}, which is not an answer of Signalbox.`;
    if (finalRefusals.includes(status)) refuse(reason);
    throw new Error(reason);
  };
  async function sendOnce(): Promise<void> {
    if (watch.observedAt() === null) return;
    const next = outbox.next({ sessions: watch.sessions(), trees: watch.trees() }, clock.wall(), isDue);
    isDue = false;
    if (!next) return;
    try {
      const { resend } = await send(next.batch);
      outbox.sent(next.changes, resend);
      if (resend) void share.run();
      sayOnce(`Observing as ${name}, sending to ${to}.`);
    } catch (fault) {
      outbox.failed();
      sayOnce(`Cannot send to ${to}: ${fault instanceof Error ? fault.message : String(fault)}. Trying again.`);
    }
  }
  const share = coalesced(sendOnce);
  const beat = () => {
    isDue = true;
    return share.run();
  };
  const stops = [announcements.listen(() => void share.run()), clock.every(heartbeatMs, beat)];
  const started = watch.start().then((stop) => {
    stops.push(() => void stop());
    return beat();
  });
  return {
    refused,
    started,
    async stop(): Promise<void> {
      for (const stop of stops) stop();
      await share.settled();
      await send(outbox.last(clock.wall())).catch(() => undefined);
      line.close();
    },
  };
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) ? answer : {};
  } catch {
    return {};
  }
}

/** Says a thing once, until something else is said. */
function createStatus(say: (line: string) => void): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) say(line);
    last = line;
  };
}
