import { systemClock } from '../app/system-clock.ts';
import { watchSessions } from '../coordination/agents/io/session-readers.ts';
import type { ObservationBatch } from '../coordination/observers/contract.ts';
import { watchChanges } from '../coordination/trees/io/watch-changes.ts';
import { createAnnouncements } from '../kernel/announcements.ts';
import type { Clock } from '../kernel/clock.ts';
import { isObject } from '../kernel/is-object.ts';
import { coalesced } from '../kernel/one-at-a-time.ts';
import { type Observed, Outbox } from './outbox.ts';
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
/** After these statuses the service would refuse the same message again. */
const finalRefusals = [400, 401, 403, 404];

/**
 * Sends what is observed on this machine to a service until stopped. `refused` resolves with the reason if the service
 * accepts nothing from here.
 */
export function observe({ to, token, name, enter, version, say, clock = systemClock, ...folders }: ObserveOptions) {
  const here = watchHere({ ...folders, name, clock, say, onChange: () => void share.run() });
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
    if (status === 400 && batch.changes !== undefined) {
      outbox.leaveOutChanges();
      say(`${to} does not accept changed files, so none are sent. Is it an earlier version?`);
      return { resend: true };
    }
    const reason =
      typeof detail === 'string' ? detail : `${to} answered ${status}, which is not an answer of Signalbox.`;
    if (finalRefusals.includes(status)) refuse(reason);
    throw new Error(reason);
  };
  async function sendOnce(): Promise<void> {
    const observed = here.observed();
    if (observed === null) return;
    const next = outbox.next(observed, clock.wall(), isDue);
    isDue = false;
    if (!next) return;
    try {
      const { resend } = await send(next.batch);
      outbox.sent(next.changes, resend);
      if (resend || next.isCut) void share.run();
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
  const stops: Array<() => unknown> = [clock.every(heartbeatMs, beat)];
  const started = here.start().then((stop) => {
    stops.push(stop);
    return beat();
  });
  return {
    refused,
    started,
    async stop(): Promise<void> {
      for (const stop of stops) await stop();
      await share.settled();
      await send(outbox.last(clock.wall())).catch(() => undefined);
      line.close();
    },
  };
}

type HereOptions = Pick<ObserveOptions, 'name' | 'say' | 'claudePaths' | 'folderOf'> & {
  clock: Clock;
  onChange: () => void;
};

/** Sessions, trees and changed paths of this machine, read with the same code as in the service. */
function watchHere({ name, say, clock, onChange, ...folders }: HereOptions) {
  const announcements = createAnnouncements();
  const faultOf = (what: string) => (fault: unknown) => say(`Cannot observe ${what}: ${String(fault)}`);
  const watch = watchSessions({ ...folders, host: name, clock, announcements, onFault: faultOf('sessions') });
  const changes = watchChanges({
    host: name,
    trees: watch.trees,
    // Only the service knows registered default branches.
    defaultBranchOf: () => null,
    clock,
    announcements,
    onChange,
    onFault: faultOf('changed files'),
  });
  return {
    /** Null before the first check. */
    observed: (): Observed | null =>
      watch.observedAt() === null ? null : { sessions: watch.sessions(), trees: watch.trees(), changes: changes.all() },
    async start(): Promise<() => Promise<void>> {
      const stopHearing = announcements.listen(onChange);
      const stopWatch = await watch.start();
      const stopChanges = changes.start();
      return async () => {
        stopHearing();
        await stopChanges();
        await stopWatch();
      };
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

/** Logs a message once, until another one is logged. */
function createStatus(say: (line: string) => void): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) say(line);
    last = line;
  };
}
