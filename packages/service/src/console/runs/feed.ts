import type { Announcements } from '../../kernel/announce.ts';
import type { RunSummary } from './contract.ts';
import type { Taken } from './read-event.ts';

const eventsPerMessage = 2000;

/** Collects what happened to runs and announces it in one go, at most every 100 ms. */
export type Feed = {
  events(runId: string, taken: readonly Taken[]): void;
  changed(runId: string): void;
  ejected(runIds: readonly string[]): void;
  flush(): void;
};

export function createFeed(announcements: Announcements, summaryOf: (runId: string) => RunSummary | undefined): Feed {
  let events = new Map<string, object[]>();
  let changed = new Set<string>();

  function flush(): void {
    const [sent, runs] = [events, changed];
    events = new Map();
    changed = new Set();
    for (const [runId, all] of sent) {
      for (let from = 0; from < all.length; from += eventsPerMessage) {
        const some = all.slice(from, from + eventsPerMessage);
        announcements.announce({ type: 'run_events', subject: runId, data: { runId, events: some } });
      }
    }
    for (const runId of runs) {
      const run = summaryOf(runId);
      if (run) announcements.announce({ type: 'run_changed', subject: runId, data: { run } });
    }
  }

  return {
    events(runId, taken) {
      changed.add(runId);
      if (!announcements.wanted('run_events')) return;
      const raws = taken.map(({ raw }) => raw);
      const waiting = events.get(runId);
      if (waiting) for (const raw of raws) waiting.push(raw);
      else events.set(runId, raws);
    },
    changed: (runId) => void changed.add(runId),
    ejected(runIds) {
      if (runIds.length === 0) return;
      // What is known of them goes first, so that nobody hears of a run after its end.
      flush();
      announcements.announce({ type: 'run_ejected', data: { runIds } });
    },
    flush,
  };
}
