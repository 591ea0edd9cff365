import { Document } from '../../kernel/document.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import type { ConsoleRuns } from './console-runs.ts';
import type { RunDetail, RunState, RunSummary } from './contract.ts';
import { noRun } from './eject.ts';
import type { Entry } from './entry.ts';
import { ctrfOf } from './export-ctrf.ts';
import { junitOf } from './export-junit.ts';
import { exportName, inChunks, jsonWithList } from './export-stream.ts';
import { keptRun } from './kept-run.ts';
import { isLive } from './liveness.ts';
import { cutoffOf } from './older-than.ts';
import type { Run } from './run.ts';
import { ScenarioHistory } from './scenario-history.ts';
import { detailOf, type ExpectedMs, eachScenario, repositoryOf, scenarioView, suiteOf, surroundings } from './views.ts';

export type RunFilter = {
  tag?: string | undefined;
  suite?: string | undefined;
  repository?: string | undefined;
  state?: RunState | undefined;
};
export type EjectFilter = { olderThan?: string | undefined; exceptRunId?: readonly string[] | undefined };
export type Opened = { entry: Entry; run: Run; summary: RunSummary; expected: ExpectedMs };

/** Longer lists are sent piece by piece, so that nobody else waits for them. */
const scenariosAtOnce = 500;

/** What may be asked of the run console, whoever asks: its own port, or coordination in the same process. */
export class RunDesk {
  readonly runs: ConsoleRuns;
  readonly #version: string;
  readonly #history: ScenarioHistory;

  constructor(runs: ConsoleRuns, version: string) {
    this.runs = runs;
    this.#version = version;
    this.#history = new ScenarioHistory(runs.registry);
  }

  async list(filter: RunFilter): Promise<readonly Entry[]> {
    const { registry } = this.runs;
    await registry.ready;
    return registry.all().filter((entry) => matches(entry, filter));
  }

  summary(entry: Entry): RunSummary {
    return this.runs.registry.summary(entry);
  }

  async open(runId: string): Promise<Opened | Refusal> {
    const { registry } = this.runs;
    if (!registry.get(runId)) await registry.ready;
    const entry = registry.get(runId);
    if (!entry) return noRun(runId);
    const [run, expected] = await Promise.all([registry.load(entry), this.#history.expectedFor(entry)]);
    // Its archive is being ejected: an empty run would look like one that went well.
    if (!run) return noRun(runId);
    return { entry, run, expected, summary: registry.summary(entry) };
  }

  async detail(runId: string): Promise<RunDetail | Document | Refusal> {
    const opened = await this.open(runId);
    if (isRefusal(opened)) return opened;
    const { expected } = opened;
    if (opened.run.scenarios.size <= scenariosAtOnce) return detailOf(opened.run, opened.summary, expected);
    const { run, summary } = this.#keep(opened);
    const around = { run: summary, ...surroundings(run) };
    const pieces = jsonWithList(around, 'scenarios', scenarioViews(run, expected));
    return new Document(
      'application/json; charset=utf-8',
      inChunks(pieces, this.runs.breathe()),
      undefined,
      undefined,
      { around, list: 'scenarios', items: scenarioViews(run, expected), total: run.scenarios.size },
    );
  }

  async export(runId: string, format: string): Promise<Document | Refusal> {
    const wanted = format.toLowerCase();
    if (wanted !== 'ctrf' && wanted !== 'junit' && wanted !== 'ndjson') {
      return refuse('unknown_format', `There is no format ${format}. Use ctrf, junit or ndjson.`);
    }
    if (wanted === 'ndjson') return this.#raw(runId);
    const opened = await this.open(runId);
    if (isRefusal(opened)) return opened;
    const { run, summary } = this.#keep(opened);
    const [pieces, media, ending] =
      wanted === 'ctrf'
        ? ([ctrfOf(run, summary, this.#version), 'application/json', 'ctrf.json'] as const)
        : ([junitOf(run, summary), 'application/xml', 'junit.xml'] as const);
    const name = exportName(run.start.suite, run.runId, ending);
    const path = exportPath(run.runId, wanted);
    return new Document(`${media}; charset=utf-8`, inChunks(pieces, this.runs.breathe()), name, path);
  }

  /** What is sent piece by piece is of one moment, whatever is heard of the run meanwhile: its sums must be those of its parts. */
  #keep({ entry, run }: Opened): { run: Run; summary: RunSummary } {
    return { run: keptRun(run), summary: this.runs.registry.summary(entry) };
  }

  async #raw(runId: string): Promise<Document | Refusal> {
    const { registry, archive } = this.runs;
    if (!registry.get(runId)) await registry.ready;
    const entry = registry.get(runId);
    const bytes = entry && (await archive.read(entry.runId));
    if (!bytes) return noRun(runId);
    const name = exportName(entry.head.start.suite, entry.runId, 'ndjson');
    return new Document('application/x-ndjson', bytes, name, exportPath(entry.runId, 'ndjson'));
  }

  async eject(runId: string): Promise<Refusal | Record<string, never>> {
    await this.runs.registry.ready;
    return (await this.runs.ejector.one(runId)) ?? {};
  }

  /** A typo must never take what was meant to stay, so everything named is checked before anything is taken. */
  async ejectMany({ olderThan, exceptRunId = [] }: EjectFilter) {
    const { registry, ejector, clock } = this.runs;
    await registry.ready;
    const cutoff = olderThan === undefined ? undefined : cutoffOf(olderThan, clock.wall());
    const unknown = exceptRunId.filter((runId) => !registry.get(runId));
    const faults = [
      ...(cutoff === null
        ? [{ path: 'olderThan', message: 'must be an instant or a duration such as 7d or P7D' }]
        : []),
      ...unknown.map((runId) => ({ path: 'exceptRunId', message: `there is no run ${runId}` })),
    ];
    if (faults.length > 0) return refuseShape(faults);
    const spared = new Set(exceptRunId.map((runId) => runId.toLowerCase()));
    const old = (entry: Entry) => typeof cutoff !== 'string' || (entry.head.start.startedAt ?? '') < cutoff;
    const taken = await ejector.many(
      registry.all().filter((entry) => !isLive(entry) && !spared.has(entry.runId) && old(entry)),
    );
    return { count: taken.length, runIds: taken };
  }
}

const exportPath = (runId: string, format: string): string => `/api/runs/${runId}/export?format=${format}`;

function* scenarioViews(run: Run, expected: ExpectedMs): Iterable<object> {
  for (const scenario of eachScenario(run)) yield scenarioView(scenario, expected);
}

export function stateOf(entry: Entry): RunState {
  if (entry.head.finish) return 'finished';
  return entry.orphaned ? 'orphaned' : 'running';
}

function matches(entry: Entry, { tag, suite, repository, state }: RunFilter): boolean {
  const { start } = entry.head;
  if (tag !== undefined && start.tag !== tag) return false;
  if (suite !== undefined && suiteOf(start) !== suite) return false;
  if (state !== undefined && stateOf(entry) !== state) return false;
  if (repository === undefined || repositoryOf(start) === repository) return true;
  return entry.repositoryName !== null && entry.repositoryName.toLowerCase() === repository.toLowerCase();
}
