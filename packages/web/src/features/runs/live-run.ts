import {
  detailWithoutScenarios,
  foldEvent,
  headlineOf,
  type MonitorEvent,
  newRun,
  readEvent,
  scenarioView,
  sortedScenarios,
  summaryOf,
} from 'signalbox/browser/run-fold';
import type { RunDetail, RunSummary, ScenarioView } from '../../live/wire.ts';

type ScenarioList = { order: readonly unknown[]; indexes: ReadonlyMap<string, number>; list: ScenarioView[] };

/** One run, folded in the browser with the service's own fold. Scenarios that no event touched stay the same object. */
export class LiveRun {
  readonly #run;
  readonly #views = new Map<string, ScenarioView>();
  /** Scenarios that were touched since the list was made. */
  readonly #touched = new Set<string>();
  #lastList: ScenarioList | undefined;
  readonly #expected = new Map<string, number | null>();
  #serviceSummary: RunSummary;

  constructor(first: RunDetail) {
    this.#run = newRun(first.run.runId);
    this.#serviceSummary = first.run;
    for (const { uid, expectedMs } of first.scenarios) this.#expected.set(uid, expectedMs);
  }

  /** Applying an event twice changes nothing, so an archive can be applied over live events. */
  apply(events: readonly unknown[]): void {
    this.fold(events.flatMap((raw) => readMonitorEvent(raw) ?? []));
  }

  fold(events: readonly MonitorEvent[]): void {
    const touchedNow = new Set<string>();
    for (const event of events) {
      foldEvent(this.#run, event);
      if ('uid' in event && typeof event.uid === 'string') touchedNow.add(event.uid);
    }
    for (const uid of touchedNow) {
      const scenario = this.#run.scenarios.get(uid);
      if (!scenario) continue;
      const view = scenarioView(scenario, (name) => this.#expected.get(name) ?? null);
      this.#views.set(uid, view);
      this.#touched.add(uid);
    }
  }

  get size(): number {
    return this.#run.scenarios.size;
  }

  /** Sets what only the service knows of a run: its host, its repository, whether its publisher is gone. */
  setSummary(summary: RunSummary): void {
    this.#serviceSummary = summary;
  }

  detail(): RunDetail {
    const run = summaryOf(headlineOf(this.#run), this.#serviceSummary);
    return { run, scenarios: this.#list(), ...detailWithoutScenarios(this.#run, run) };
  }

  /** In the service's order. Only touched scenarios are replaced, because there may be fifty thousand. */
  #list(): ScenarioView[] {
    const order = sortedScenarios(this.#run);
    const before = this.#lastList?.order === order ? this.#lastList : undefined;
    const list = before ? before.list.slice() : order.flatMap(({ uid }) => this.#views.get(uid) ?? []);
    const indexes = before?.indexes ?? new Map(list.map(({ uid }, index) => [uid, index]));
    for (const uid of before ? this.#touched : []) {
      const [index, view] = [indexes.get(uid), this.#views.get(uid)];
      if (index !== undefined && view) list[index] = view;
    }
    this.#touched.clear();
    this.#lastList = { order, indexes: indexes, list };
    return list;
  }
}

/** Reads one raw event; null when it is not an event or has no effect here. */
export function readMonitorEvent(raw: unknown): MonitorEvent | null {
  const result = readEvent(raw);
  return typeof result === 'string' ? null : result.event;
}

/** Parses the lines of an archive. A torn line is left out, as the service does. */
export function parseNdjson(text: string): unknown[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    try {
      const event: unknown = JSON.parse(line);
      return [event];
    } catch {
      return [];
    }
  });
}
