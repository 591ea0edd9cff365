import type { MonitorEvent } from '../events.ts';

type Item = { json: string; rank: number };

/** The order of dropping events from a full queue. Verdicts and the run's own events are never dropped. */
const ranks: Partial<Record<MonitorEvent['type'], number>> = {
  step_progress: 0,
  run_progress: 0,
  run_heartbeat: 0,
  step_started: 1,
  step_finished: 1,
  scenario_started: 2,
  test_started: 2,
  lane_started: 2,
  resource_recycled: 2,
  worker_started: 2,
  retry_scheduled: 2,
};
const kept = 3;

export type Queue = {
  readonly size: number;
  push(event: MonitorEvent): void;
  /** Takes the oldest events out, at least one, within both limits. */
  take(events: number, bytes: number): Item[];
  putBack(items: readonly Item[]): void;
};

/** Events waiting to be sent, as text, bounded in number. */
export function createQueue(limit: number): Queue {
  let items: Item[] = [];

  /** Frees a tenth of the queue at once, so that a full queue does not cost a scan per event. */
  const shed = () => {
    let excess = items.length - Math.floor(limit * 0.9);
    for (let rank = 0; rank < kept && excess > 0; rank++) {
      items = items.filter((item) => item.rank !== rank || excess-- <= 0);
    }
  };

  return {
    get size() {
      return items.length;
    },
    push(event) {
      items.push({ json: JSON.stringify(event), rank: ranks[event.type] ?? kept });
      if (items.length > limit) shed();
    },
    take(events, bytes) {
      let count = 0;
      for (let room = bytes; count < Math.min(events, items.length); count++) {
        room -= items[count]?.json.length ?? 0;
        if (room < 0 && count > 0) break;
      }
      return items.splice(0, count);
    },
    putBack(back) {
      items = [...back, ...items];
    },
  };
}
