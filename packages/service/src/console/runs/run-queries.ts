import { durationMs, withPlus } from '../../kernel/clock.ts';
import { Document } from '../../kernel/document.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { isRunId } from '../../run-contract/run-id.ts';
import { isFound, type RunSearch } from '../../run-contract/run-search.ts';
import { isSuiteFound, type SuiteSearch, type SuiteSummary, suitesOf } from '../../run-contract/suites.ts';
import type {
  TestChanges,
  TestHistoryQuery,
  TestHistoryView,
  TestOrder,
  TestSummary,
} from '../../run-contract/test-history.ts';
import { orderTests } from '../../run-contract/test-rates.ts';
import { attachmentDocument, attachmentNamed, attachmentNotFound } from './attachments.ts';
import type { ConsoleRuns } from './console-runs.ts';
import type { RunDetail, RunState, RunSummary, ScenarioView } from './contract.ts';
import { runNotFound } from './eject.ts';
import { ctrfOf } from './export-ctrf.ts';
import { type ExportPage, historyPieces, htmlOf, inScript } from './export-html.ts';
import { junitOf } from './export-junit.ts';
import { exportName, inChunks, jsonWithList, jsonWithPieces } from './export-stream.ts';
import { current } from './fold-scenarios.ts';
import type { SuiteFilter } from './history/suite-filter.ts';
import { readTime } from './read-event.ts';
import type { Run } from './run.ts';
import { type BoardRun, isLive, receivedAtOf, stateOf } from './run-registry.ts';
import { runSnapshot } from './run-snapshot.ts';
import {
  detailOf,
  detailWithoutScenarios,
  type ExpectedMs,
  eachScenario,
  repositoryOf,
  scenarioView,
  suiteOf,
} from './run-views.ts';

export type EjectFilter = { olderThan?: string | undefined; exceptRunId?: readonly string[] | undefined };
export type OpenedRun = { boardRun: BoardRun; run: Run; summary: RunSummary; expected: ExpectedMs };

/** Longer details are streamed, so that other requests need not wait for them. */
const scenariosAtOnce = 500;
const bytesAtOnce = 1024 * 1024;

/** Everything the run console answers, for its own port and for coordination in the same process. */
export class RunQueries {
  readonly runs: ConsoleRuns;
  readonly #version: string;
  readonly #exportPage: () => Promise<ExportPage | null>;

  constructor(runs: ConsoleRuns, version: string, exportPage: () => Promise<ExportPage | null> = async () => null) {
    this.runs = runs;
    this.#version = version;
    this.#exportPage = exportPage;
  }

  async list({ search, failed, ...filter }: RunFilter & RunSearch): Promise<readonly BoardRun[]> {
    await this.runs.ready;
    const chosen = this.runs.registry.byStart().filter((boardRun) => matchesRun(boardRun, filter));
    if (search === undefined && failed === undefined) return chosen;
    return chosen.filter((boardRun) => isFound(this.summary(boardRun), { search, failed }));
  }

  async suites({ search, failed, state, ...filter }: RunFilter & SuiteSearch): Promise<readonly SuiteSummary[]> {
    await this.runs.ready;
    const chosen = this.runs.registry.all().filter((boardRun) => matchesRun(boardRun, filter));
    const suites = suitesOf(chosen.map((boardRun) => this.summary(boardRun)));
    return suites.filter((suite) => isSuiteFound(suite, { search, failed, state }));
  }

  async testHistory(query: TestHistoryQuery): Promise<TestHistoryView> {
    await this.runs.ready;
    return this.runs.history.historyOf(query);
  }

  async tests(filter: SuiteFilter, order: TestOrder): Promise<readonly TestSummary[]> {
    await this.runs.ready;
    return orderTests(await this.runs.history.tests(filter), order);
  }

  async testChanges(since: string): Promise<TestChanges> {
    await this.runs.ready;
    return this.runs.history.changes(since);
  }

  summary(boardRun: BoardRun): RunSummary {
    return this.runs.summaries.of(boardRun);
  }

  async open(runId: string): Promise<OpenedRun | Refusal> {
    const { registry, cache, ready } = this.runs;
    if (!registry.get(runId)) await ready;
    const boardRun = registry.get(runId);
    if (!boardRun) return this.#notFound(runId);
    const [run, expected] = await Promise.all([
      cache.load(boardRun).catch(() => 'unreadable' as const),
      this.runs.history.expectedFor(boardRun),
    ]);
    if (run === 'unreadable' || (!run && (await this.runs.archives.of(boardRun)))) return runUnreadable(runId);
    // Its archive is being ejected: an empty run would look like a successful one.
    if (!run) return runNotFound(runId);
    return { boardRun, run, expected, summary: this.summary(boardRun) };
  }

  async detail(runId: string): Promise<RunDetail | Document | Refusal> {
    const opened = await this.open(runId);
    if (isRefusal(opened)) return opened;
    const { expected, boardRun } = opened;
    if (opened.run.scenarios.size <= scenariosAtOnce && boardRun.bytes <= bytesAtOnce)
      return detailOf(opened.run, opened.summary, expected);
    const { run, summary } = this.#snapshot(opened);
    const withoutScenarios = { run: summary, ...detailWithoutScenarios(run, summary) };
    const pieces = detailPieces(run, summary, expected);
    return new Document(
      'application/json; charset=utf-8',
      inChunks(pieces, this.runs.timeBudget()),
      undefined,
      undefined,
      {
        members: withoutScenarios,
        listName: 'scenarios',
        items: scenarioViews(run, expected),
        total: run.scenarios.size,
      },
    );
  }

  async export(runId: string, format: string): Promise<Document | Refusal> {
    const wanted = format.toLowerCase();
    if (wanted !== 'ctrf' && wanted !== 'junit' && wanted !== 'ndjson' && wanted !== 'html') {
      return refuse('unknown_format', `Unknown format ${format}. Use ctrf, junit, ndjson or html.`);
    }
    if (wanted === 'ndjson') return this.#exportRaw(runId);
    if (wanted === 'html') return this.#exportHtml(runId);
    const opened = await this.open(runId);
    if (isRefusal(opened)) return opened;
    const { run, summary } = this.#snapshot(opened);
    const [pieces, media, ending] =
      wanted === 'ctrf'
        ? ([ctrfOf(run, summary, this.#version), 'application/json', 'ctrf.json'] as const)
        : ([junitOf(run, summary), 'application/xml', 'junit.xml'] as const);
    const name = exportName(run.start.suite, run.runId, ending);
    const path = exportPath(run.runId, wanted);
    return new Document(`${media}; charset=utf-8`, inChunks(pieces, this.runs.timeBudget()), name, path);
  }

  async #exportHtml(runId: string): Promise<Document | Refusal> {
    const opened = await this.open(runId);
    if (isRefusal(opened)) return opened;
    const page = await this.#exportPage();
    if (!page)
      return refuse(
        'unknown_format',
        'This service has no built page, so html is not available. Use ctrf, junit or ndjson.',
      );
    const { run, summary } = this.#snapshot(opened);
    const budget = this.runs.timeBudget();
    const failed = [...run.scenarios.values()]
      .filter((one) => isFailed(current(one).outcome))
      .slice(0, historiesAtMost);
    const uids = failed.map(({ uid }) => uid);
    const histories = await this.runs.history.historiesOf(opened.boardRun, uids, verdictsAtMost);
    const pieces = htmlOf({
      page,
      title: `${summary.suite.slice(0, titleLength)} ${runId.slice(0, 8)}`,
      detail: inChunks(inScript(detailPieces(run, summary, opened.expected)), budget),
      histories: inChunks(inScript(historyPieces(histories)), budget),
      files: [...run.scenarios.values()].flatMap(({ attachments }) => attachments ?? []),
      read: (sha256) => this.runs.store.attachment(run.runId, sha256),
    });
    const name = exportName(run.start.suite, run.runId, 'html');
    return new Document('text/html; charset=utf-8', pieces, name, exportPath(run.runId, 'html'));
  }

  async attachment(runId: string, sha256: string): Promise<Document | Refusal> {
    const opened = await this.open(runId);
    if (isRefusal(opened)) return opened;
    const entry = attachmentNamed(opened.run, sha256);
    const content = entry && (await this.runs.store.attachment(opened.run.runId, sha256));
    return content ? attachmentDocument(entry, content) : attachmentNotFound(runId, sha256);
  }

  /** A streamed answer is a snapshot, so that its totals match its parts while new events arrive. */
  #snapshot({ boardRun, run }: OpenedRun): { run: Run; summary: RunSummary } {
    return { run: runSnapshot(run), summary: this.summary(boardRun) };
  }

  async #exportRaw(runId: string): Promise<Document | Refusal> {
    const { registry, store, ready } = this.runs;
    if (!registry.get(runId)) await ready;
    const boardRun = registry.get(runId);
    if (!boardRun) return runNotFound(runId);
    const bytes = await store.read(boardRun.runId).catch(() => null);
    if (!bytes) return (await this.runs.archives.of(boardRun)) ? runUnreadable(runId) : runNotFound(runId);
    const name = exportName(boardRun.head.start.suite, boardRun.runId, 'ndjson');
    return new Document('application/x-ndjson', bytes, name, exportPath(boardRun.runId, 'ndjson'));
  }

  async eject(runId: string, by: string): Promise<Refusal | Record<string, never>> {
    await this.runs.ready;
    return (await this.runs.ejector.ejectOne(runId, by)) ?? {};
  }

  /** Who ejected a run by hand; null for any other run. */
  async ejectedBy(runId: string): Promise<string | null> {
    // The name becomes part of a path, so only valid run ids are accepted.
    if (!isRunId(runId) || this.runs.registry.get(runId)) return null;
    return this.runs.store.ejectedBy(runId.toLowerCase());
  }

  async #notFound(runId: string): Promise<Refusal> {
    return runNotFound(runId, await this.ejectedBy(runId));
  }

  /** A run to keep may be unknown here, because a publisher may name its run before its first event arrives. */
  async ejectMany({ olderThan, exceptRunId = [] }: EjectFilter, by: string) {
    const { registry, ejector, clock } = this.runs;
    await this.runs.ready;
    const cutoff = olderThan === undefined ? undefined : cutoffOf(olderThan, clock.wall());
    const kept = new Set(exceptRunId.flatMap((ids) => ids.split(',')).map((runId) => runId.trim().toLowerCase()));
    const faults = [
      ...(cutoff === null
        ? [{ path: 'olderThan', message: 'must be an instant or a duration such as 7d, P7D or 36:00:00' }]
        : []),
      ...[...kept]
        .filter((runId) => !isRunId(runId))
        .map((runId) => ({ path: 'exceptRunId', message: `${JSON.stringify(runId)} cannot be the id of a run` })),
    ];
    if (faults.length > 0) return refuseShape(faults);
    const old = (boardRun: BoardRun) =>
      typeof cutoff !== 'string' || (boardRun.head.start.startedAt ?? receivedAtOf(boardRun)) < cutoff;
    const ejected = await ejector.ejectMany(
      registry.all().filter((boardRun) => !isLive(boardRun) && !kept.has(boardRun.runId) && old(boardRun)),
      by,
    );
    return { count: ejected.length, runIds: ejected };
  }
}

const runUnreadable = (runId: string): Refusal =>
  refuse(
    'store_unavailable',
    `The archive of the run ${runId} cannot be read. The log has the reason; restore the file, or eject the run.`,
  );

const exportPath = (runId: string, format: string): string => `/api/runs/${runId}/export?format=${format}`;

/** How many failed tests get their history in an exported file, and how many verdicts each. */
const historiesAtMost = 500;
const verdictsAtMost = 50;
const titleLength = 200;
const isFailed = (outcome: string | null): boolean => outcome === 'Failed' || outcome === 'Aborted';

const detailPieces = (run: Run, summary: RunSummary, expected: ExpectedMs): Iterable<string> =>
  jsonWithPieces({ run: summary, ...detailWithoutScenarios(run, summary) }, 'scenarios', scenarioPieces(run, expected));

/** A test with many attempts and long texts is written attempt by attempt. */
function* scenarioPieces(run: Run, expected: ExpectedMs): Iterable<Iterable<string>> {
  for (const view of scenarioViews(run, expected)) {
    const { attemptsHistory, ...rest } = view;
    const isTriedOnce = attemptsHistory.length === 0;
    yield isTriedOnce ? [JSON.stringify(view)] : jsonWithList(rest, 'attemptsHistory', attemptsHistory);
  }
}

function* scenarioViews(run: Run, expected: ExpectedMs): Iterable<ScenarioView> {
  for (const scenario of eachScenario(run)) yield scenarioView(scenario, expected);
}

/** The instant that `olderThan` stands for: an instant, or a duration before now. Null for anything else. */
function cutoffOf(text: string, nowMs: number): string | null {
  const duration = durationMs(text) ?? clockDurationMs(text);
  if (duration !== null) {
    const at = nowMs - duration;
    return Math.abs(at) > 8.64e15 ? null : new Date(at).toISOString();
  }
  return readTime(withPlus(text)) ?? null;
}

/** `[d.]hh:mm:ss`, as .NET writes a duration. */
function clockDurationMs(text: string): number | null {
  const match = /^(?:(\d{1,5})\.)?(\d{1,4}):([0-5]\d):([0-5]\d)(?:\.\d{1,7})?$/.exec(text);
  if (!match) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

type RunFilter = {
  tag?: string | undefined;
  suite?: string | undefined;
  repository?: string | undefined;
  state?: RunState | undefined;
};

function matchesRun(boardRun: BoardRun, { tag, suite, repository, state }: RunFilter): boolean {
  const { start } = boardRun.head;
  if (tag !== undefined && start.tag !== tag) return false;
  if (suite !== undefined && suiteOf(start) !== suite) return false;
  if (state !== undefined && stateOf(boardRun) !== state) return false;
  if (repository === undefined || repositoryOf(start) === repository) return true;
  return boardRun.repositoryName !== null && boardRun.repositoryName.toLowerCase() === repository.toLowerCase();
}
