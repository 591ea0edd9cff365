import type { Announcements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import { RefusedError } from '../../kernel/outcome.ts';
import type { SharedKind } from './contract.ts';
import { type HostChanges, hasChanges, OtherHosts } from './other-hosts.ts';
import { sharedKinds } from './shared-item.ts';
import { Sharer, type SharerOptions } from './sharer.ts';

export type HostWatchOptions = SharerOptions & { clock: Clock; announcements: Announcements };

export type HostWatch = {
  otherHosts: OtherHosts;
  /** Called when items of that kind may have changed here. */
  markChanged(kind: SharedKind): void;
  /** Called when something that other hosts share changed. */
  onChange(listener: (moved: HostChanges) => void): () => void;
  /** Publishes the address of this host to the others. */
  announceUrl(url: string): void;
  dropRun(runId: string): void;
  /** After the store was replaced by another. */
  storeReplaced(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const shareMs = 500;
/** Many hosts may signal changes many times a second; one poll reads them together. */
const pollMs = 250;
const heartbeatMs = 5_000;
const fullShareMs = 60_000;
const purgeMs = 60 * 60_000;
/** A host silent for this long was taken down; its shared items are deleted. */
const forgottenAfterMs = 30 * 24 * 60 * 60_000;
const purgeFailed = 'cannot remove hosts that have been silent for 30 days';

/** Shares what this host observes, at most twice a second, and follows what the others share. */
export function createHostWatch(options: HostWatchOptions): HostWatch {
  const { table, self, clock, announcements, warn } = options;
  const otherHosts = new OtherHosts();
  const listeners = new Set<(moved: HostChanges) => void>();
  const sharer = new Sharer(options);

  const publish = (moved: HostChanges) => {
    if (!hasChanges(moved)) return;
    announce(moved, announcements);
    for (const listener of listeners) listener(moved);
  };
  const poll = coalesced(async () => {
    try {
      const asked = otherHosts.revisions();
      const { moved, overfull } = otherHosts.fold(await table.read(self.name, asked), clock.monotonic(), asked);
      publish(moved);
      for (const key of overfull) publish(otherHosts.retainOnly(key, await table.keysOf(key)));
    } catch (err) {
      // While the store is unavailable the last data stays in use, until it is too old.
      if (!(err instanceof RefusedError)) warn({ err }, 'cannot read what other hosts share');
    }
  });
  let isChangeSignalled = false;
  const stops: Array<() => void> = [];
  return {
    otherHosts,
    markChanged: (kind) => sharer.markChanged(kind),
    storeReplaced: () => void [sharer.shareAgain(), otherHosts.readAgain()],
    announceUrl: (url) => sharer.announceUrl(url),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dropRun: (runId) => publish(otherHosts.dropRun(runId)),
    async start() {
      await poll.run();
      stops.push(
        table.onShared(() => {
          isChangeSignalled = true;
        }),
        clock.every(pollMs, () => {
          if (!isChangeSignalled) return;
          isChangeSignalled = false;
          return poll.run();
        }),
        clock.every(shareMs, () => sharer.share()),
        clock.every(heartbeatMs, () => sharer.sendHeartbeat()),
        clock.every(fullShareMs, () => sharer.markChanged(...sharedKinds)),
        clock.every(heartbeatMs, () => poll.run()),
        clock.every(shareMs, () => publish(otherHosts.checkSilence(clock.monotonic()))),
        clock.every(purgeMs, () => table.forget(forgottenAfterMs).catch((err) => warn({ err }, purgeFailed))),
      );
    },
    async stop() {
      for (const stop of stops) stop();
      await sharer.settled();
      await poll.settled();
      // If the store is unavailable, the name becomes free after half a minute of silence.
      await table.leave(self).catch(() => undefined);
    },
  };
}

function announce({ sessions, trees, runs, ejected }: HostChanges, { announce: say }: Announcements): void {
  if (sessions.length + trees.length > 0) say({ type: 'agents_changed', data: { sessions, trees } });
  for (const run of runs) say({ type: 'run_changed', data: { run } });
  if (ejected.length > 0) say({ type: 'run_ejected', data: { runIds: ejected } });
}
