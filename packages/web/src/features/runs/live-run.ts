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
  /** Scenarios that were touched since the list was built. */
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

  /** Sets what only the service knows about a run: its host, its repository, whether its publisher is gone. */
  setSummary(summary: RunSummary): void {
    this.#serviceSummary = summary;
  }

  /** Records when the service last announced events: its summary of the run is older than they are. */
  heardAt(at: string): void {
    this.#serviceSummary = { ...this.#serviceSummary, lastEventAt: at };
  }

  detail(): RunDetail {
    const run = summaryOf(headlineOf(this.#run), this.#serviceSummary);
    return { run, scenarios: this.#list(), ...detailWithoutScenarios(this.#run, run) };
  }

  /** Keeps the service's order. Only touched scenarios are replaced, because there may be fifty thousand. */
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

/** Reads one raw event; null if it is not an event or has no effect here. */
export function readMonitorEvent(raw: unknown): MonitorEvent | null {
  const result = readEvent(raw);
  return typeof result === 'string' ? null : result.event;
}

/** Parses the lines of an archive. A torn line is skipped, as in the service. */
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

/** A batch of events of one run; `refetch` means that some may be missing. */
export type RunNews = readonly unknown[] | 'refetch';

export type RunReaderDeps = {
  /** Every event of the run so far, as NDJSON text. */
  readArchive: () => Promise<string>;
  subscribe: (listener: (news: RunNews) => void) => () => void;
  /** Runs one read at a time, and one more if called meanwhile. */
  throttle: (read: () => Promise<unknown>) => () => void;
  /** Calls back once after this many milliseconds; returns a function that cancels it. */
  later: (run: () => void, ms: number) => () => void;
  onDetail: (detail: RunDetail) => void;
  /** The service's time. */
  now: () => string;
};

/** A large run takes longer to render, so it is rendered less often and the page stays responsive. */
const redrawPauseMs = (scenarios: number): number => Math.min(1000, scenarios / 50);

const firstRetryMs = 1000;
const longestRetryMs = 30_000;

/**
 * Follows one live run: reads its archive, then applies events as they arrive. Events that arrive during the read wait
 * for it, so that none is applied before earlier ones. A failed read is repeated with a growing pause.
 */
export class RunReader {
  readonly #deps: RunReaderDeps;
  readonly #live: LiveRun;
  /** Events that arrived during a read; null if no read is in progress. */
  #waiting: unknown[] | null = [];
  /** Whether the archive has been read. Until then events alone would show a run without its beginning. */
  #hasArchive = false;
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
  #cancelRedraw: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #stopped = false;
  readonly #readAgain: () => void;

  constructor(first: RunDetail, deps: RunReaderDeps) {
    this.#deps = deps;
    this.#live = new LiveRun(first);
    this.#readAgain = deps.throttle(() => this.#read());
  }

  start(): void {
    this.#unsubscribe = this.#deps.subscribe((news) => this.#hear(news));
    this.#readAgain();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRetry?.();
    this.#cancelRedraw?.();
    this.#unsubscribe?.();
  }

  #hear(news: RunNews): void {
    if (news === 'refetch') {
      this.#readAgain();
      return;
    }
    this.#live.heardAt(this.#deps.now());
    if (this.#waiting) this.#waiting.push(...news);
    else this.#apply(news);
  }

  async #read(): Promise<void> {
    if (this.#stopped) return;
    this.#cancelRetry?.();
    this.#waiting ??= [];
    try {
      this.#live.apply(parseNdjson(await this.#deps.readArchive()));
      this.#hasArchive = true;
      this.#failures = 0;
    } catch {
      this.#retry();
    }
    const waiting = this.#waiting ?? [];
    // Without the archive they are dropped: events are written before they are announced, so the next read contains them.
    this.#waiting = this.#hasArchive ? null : [];
    if (this.#hasArchive) this.#apply(waiting);
  }

  #retry(): void {
    if (this.#stopped) return;
    const pauseMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#cancelRetry = this.#deps.later(this.#readAgain, pauseMs);
  }

  #apply(events: readonly unknown[]): void {
    this.#live.apply(events);
    this.#cancelRedraw ??= this.#deps.later(() => {
      this.#cancelRedraw = undefined;
      if (!this.#stopped) this.#deps.onDetail(this.#live.detail());
    }, redrawPauseMs(this.#live.size));
  }
}
