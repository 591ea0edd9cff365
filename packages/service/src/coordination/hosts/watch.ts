import type { Announcements } from '../../kernel/announce.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refused } from '../../kernel/outcome.ts';
import { oneAtATime } from '../agents/one-at-a-time.ts';
import type { Kind } from './contract.ts';
import { isAny, type Moved, Neighbours } from './neighbours.ts';
import { everything, Sharer, type SharerOptions } from './sharer.ts';

export type HostWatchOptions = SharerOptions & { clock: Clock; announcements: Announcements };

export type HostWatch = {
  neighbours: Neighbours;
  /** Something of that kind may have changed here. */
  touch(kind: Kind): void;
  /** Told when other hosts' runs or verdicts moved. */
  onMoved(listener: (moved: Moved) => void): () => void;
  /** Tells the others where this host is reached. */
  reachedAt(url: string): void;
  dropRun(runId: string): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const shareMs = 500;
/** Many hosts may wake this one many times a second; it looks at them together. */
const lookMs = 250;
const beatMs = 5_000;
const wholeMs = 60_000;
const forgetMs = 60 * 60_000;
/** A host that was not seen for so long was taken down, and what it left is no longer shown. */
const forgottenAfterMs = 30 * 24 * 60 * 60_000;

/** Shares what this host observes, at most twice a second, and follows what the others share. */
export function createHostWatch(options: HostWatchOptions): HostWatch {
  const { table, me, clock, announcements, warn } = options;
  const neighbours = new Neighbours();
  const listeners = new Set<(moved: Moved) => void>();
  const sharer = new Sharer(options);

  const tell = (moved: Moved) => {
    if (!isAny(moved)) return;
    announce(moved, announcements);
    for (const listener of listeners) listener(moved);
  };
  const look = oneAtATime(async () => {
    try {
      const { moved, overfull } = neighbours.take(await table.look(me.name, neighbours.known()), clock.monotonic());
      tell(moved);
      for (const key of overfull) tell(neighbours.keep(key, await table.keysOf(key)));
    } catch (err) {
      // While the store is away what was heard stands, until it is too old.
      if (!(err instanceof Refused)) warn({ err }, 'what other hosts share could not be read');
    }
  });
  let woken = false;
  const stops: Array<() => void> = [];
  return {
    neighbours,
    touch: (kind) => sharer.touch(kind),
    reachedAt: (url) => sharer.reachedAt(url),
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dropRun: (runId) => tell(neighbours.dropRun(runId)),
    async start() {
      await look.run();
      stops.push(
        table.onMoved(() => {
          woken = true;
        }),
        clock.every(lookMs, () => {
          if (!woken) return;
          woken = false;
          return look.run();
        }),
        clock.every(shareMs, () => sharer.share()),
        clock.every(beatMs, () => sharer.beat()),
        clock.every(wholeMs, () => sharer.touch(...everything)),
        clock.every(beatMs, () => look.run()),
        clock.every(shareMs, () => tell(neighbours.listen(clock.monotonic()))),
        clock.every(forgetMs, () =>
          table.forget(forgottenAfterMs).catch((err) => warn({ err }, 'hosts not forgotten')),
        ),
      );
    },
    async stop() {
      for (const stop of stops) stop();
      await sharer.settled();
      await look.settled();
      // While the store is away the name is free again after half a minute of silence.
      await table.leave(me).catch(() => undefined);
    },
  };
}

function announce({ sessions, trees, runs, ejected }: Moved, { announce: say }: Announcements): void {
  if (sessions.length + trees.length > 0) say({ type: 'agents_changed', data: { sessions, trees } });
  for (const run of runs) say({ type: 'run_changed', subject: run.runId, data: { run } });
  if (ejected.length > 0) say({ type: 'run_ejected', data: { runIds: ejected } });
}
