import {
  foldEvent,
  headOf,
  type MonitorEvent,
  newRun,
  readEvent,
  scenarioView,
  sortedScenarios,
  summaryOf,
  surroundings,
} from 'signalbox/run-fold';
import type { RunDetail, RunSummary, ScenarioView } from './wire.ts';

/** While a run is followed it is also known when its open scenarios began. */
export type FollowedScenario = ScenarioView & { startedAt?: string | null };

type Made = { order: readonly unknown[]; places: ReadonlyMap<string, number>; list: FollowedScenario[] };

/** One run folded here by the service's own fold; only what an event touched is drawn anew. */
export class LiveRun {
  readonly #run;
  readonly #views = new Map<string, FollowedScenario>();
  /** Scenarios that were touched since the list was made. */
  readonly #touched = new Set<string>();
  #made: Made | undefined;
  readonly #expected = new Map<string, number | null>();
  #around: RunSummary;

  constructor(first: RunDetail) {
    this.#run = newRun(first.run.runId);
    this.#around = first.run;
    for (const { uid, expectedMs } of first.scenarios) this.#expected.set(uid, expectedMs);
  }

  /** Repeats do no harm, so a replay over what is known already is fine. */
  apply(events: readonly unknown[]): void {
    this.fold(events.flatMap((raw) => readOne(raw) ?? []));
  }

  fold(events: readonly MonitorEvent[]): void {
    const touched = new Set<string>();
    for (const event of events) {
      foldEvent(this.#run, event);
      if ('uid' in event && typeof event.uid === 'string') touched.add(event.uid);
    }
    for (const uid of touched) {
      const scenario = this.#run.scenarios.get(uid);
      if (!scenario) continue;
      const view = scenarioView(scenario, (name) => this.#expected.get(name) ?? null);
      this.#views.set(uid, { ...view, startedAt: scenario.attempts.at(-1)?.startedAt ?? null });
      this.#touched.add(uid);
    }
  }

  get size(): number {
    return this.#run.scenarios.size;
  }

  /** What only the service knows of a run: its host, its repository, whether its publisher is gone. */
  around(summary: RunSummary): void {
    this.#around = summary;
  }

  detail(): RunDetail {
    return {
      run: summaryOf(headOf(this.#run), this.#around),
      scenarios: this.#list(),
      ...surroundings(this.#run),
    };
  }

  /** In the service's order; only what was touched is put in anew, for there may be fifty thousand. */
  #list(): FollowedScenario[] {
    const order = sortedScenarios(this.#run);
    const before = this.#made?.order === order ? this.#made : undefined;
    const list = before ? before.list.slice() : order.flatMap(({ uid }) => this.#views.get(uid) ?? []);
    const places = before?.places ?? new Map(list.map(({ uid }, place) => [uid, place]));
    for (const uid of before ? this.#touched : []) {
      const [place, view] = [places.get(uid), this.#views.get(uid)];
      if (place !== undefined && view) list[place] = view;
    }
    this.#touched.clear();
    this.#made = { order, places, list };
    return list;
  }
}

/** An event as it came; null where it is none, or one that tells nothing here. */
export function readOne(raw: unknown): MonitorEvent | null {
  const taken = readEvent(raw);
  return typeof taken === 'string' ? null : taken.event;
}

/** The lines of an archive; a torn one is left out, as the service does. */
export function linesOf(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
