import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { host, specs } from '../packages/event-model/testing/wallets.ts';

// `node bench/year.ts 0.1.0 FOLDER` writes a year of use as that release wrote it: the store, archives of runs, verdicts, event models.
// A release creates derived data (indexes, history of tests, snapshots) at its first start.

export type Release = '0.1.0' | '0.2.0';
export type Year = {
  plans: string[];
  repositories: string[];
  runs: string[];
  events: number;
  /** Nodes whose suite failed. */
  failedNodes: number;
  /** The events that a publisher sent for a run; an ndjson export must return exactly these. */
  sent: Map<string, string>;
};

/** The amounts of data. `whole` is a year of an operator of 0.1.0. */
export const sizes = {
  whole: {
    plans: 61,
    archived: 12,
    nodes: 66,
    changes: 875,
    cycles: 59_840,
    notes: 400,
    repositories: 20,
    runs: 1505,
    large: 12,
  },
  small: { plans: 6, archived: 2, nodes: 12, changes: 30, cycles: 602, notes: 20, repositories: 3, runs: 40, large: 1 },
};
export type Size = keyof typeof sizes;

const day = 86_400_000;
const sqlFolder = join(import.meta.dirname, '../packages/service/src/store/sqlite/sql');
/** The version of the store that each release wrote. */
const storeVersion = { '0.1.0': 1, '0.2.0': 3 };
const iso = (ms: number): string => new Date(ms).toISOString();
const planName = (index: number): string => `plan-${index + 1}`;
const agents = ['ada', 'bob', 'eve', 'grace', 'linus'];
const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** The year ends two days before `now`, so that no lease is live any more. */
export function writeYear(release: Release, dataPath: string, size: Size = 'whole', now = Date.now()): Year {
  const counts = sizes[size];
  const end = Math.floor(now / day) * day - 2 * day;
  const begin = end - 360 * day;
  mkdirSync(join(dataPath, 'runs'), { recursive: true, mode: 0o700 });
  const { runs, sent, verdicts } = writeRuns(release, join(dataPath, 'runs'), counts, begin, end);
  writeFileSync(join(dataPath, 'verdicts.ndjson'), verdicts.join(''), { mode: 0o600 });
  mkdirSync(join(dataPath, 'event-models'));
  for (const [source, model] of Object.entries({ host, specs }))
    writeFileSync(
      join(dataPath, 'event-models', `${source}.json`),
      JSON.stringify({ source, descriptor: model, pushedAt: iso(end) }),
    );
  const store = new OldStore(release, join(dataPath, 'signalbox.sqlite'));
  const repositories = fillStore(store, release, counts, begin, end);
  store.close();
  const plans = Array.from({ length: counts.plans }, (_, index) => planName(index));
  const open = plans.slice(0, counts.plans - counts.archived);
  const failedNodes = open.filter((_, index) => suiteRunOf(index).fails).length;
  return { plans, repositories, runs, events: store.sequence, failedNodes, sent };
}

type Counts = (typeof sizes)[Size];
type NewEvent = { stream: string; topic: string; type: string; at: number; by: string; data: object };

/** Writes rows like the group commit of that release: 0.2.0 used ids with a checksum, 0.1.0 random ones. */
class OldStore {
  readonly #database: DatabaseSync;
  readonly #append: ReturnType<DatabaseSync['prepare']>;
  readonly #release: Release;
  readonly #versions = new Map<string, number>();
  sequence = 0;

  constructor(release: Release, path: string) {
    this.#release = release;
    this.#database = new DatabaseSync(path);
    const version = storeVersion[release];
    for (const file of readdirSync(sqlFolder).sort())
      if (Number(file.slice(0, 4)) <= version) this.#database.exec(readFileSync(join(sqlFolder, file), 'utf8'));
    this.#database.exec(`PRAGMA user_version = ${version}; PRAGMA journal_mode = wal; BEGIN`);
    this.#append = this.#database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  write({ stream, topic, type, at, by, data }: NewEvent): void {
    const version = (this.#versions.get(stream) ?? 0) + 1;
    this.#versions.set(stream, version);
    this.sequence += 1;
    const provenance = type === 'evidence_observed' ? 'observed' : 'asserted';
    const text = JSON.stringify(data);
    const content = [stream, version, topic, type, iso(at), by, provenance] as const;
    const id = this.#idOf(content, text);
    this.#append.run(this.sequence, stream, version, topic, id, type, iso(at), by, provenance, text);
  }

  #idOf(content: readonly (string | number)[], text: string): string {
    const hex = createHash('sha256').update(`event ${this.sequence}`).digest('hex');
    const kind = this.#release === '0.1.0' ? '4' : '8';
    const start = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${kind}${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 24)}`;
    if (kind === '4') return start + hex.slice(24, 32);
    return (
      start +
      crc32(JSON.stringify([start, ...content, text]))
        .toString(16)
        .padStart(8, '0')
    );
  }

  close(): void {
    this.#database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }
}

function fillStore(store: OldStore, release: Release, counts: Counts, begin: number, end: number): string[] {
  const repositories = writeRepositories(store, counts, begin);
  const open = counts.plans - counts.archived;
  for (let index = 0; index < counts.plans; index += 1)
    writePlan(store, index, counts, pick(repositories, index), begin);
  writeChanges(store, counts, begin + day / 2);
  writeClaims(store, release, counts, begin + day, end - day);
  for (let index = 0; index < open; index += 1) writeEvidence(store, release, index, end - day / 2);
  for (let index = open; index < counts.plans; index += 1) {
    const topic = `plan:${planName(index)}`;
    store.write({ stream: topic, topic, type: 'plan_archived', at: end, by: 'grace', data: {} });
  }
  return repositories;
}

function writeRepositories(store: OldStore, { repositories, notes }: Counts, at: number): string[] {
  const names = Array.from({ length: repositories }, (_, index) => `acme/shop-${index + 1}`);
  for (const repository of names) {
    const [owner, name] = repository.split('/');
    const stream = `repository:${repository}`;
    const data = { owner, name, description: `The shop ${name}`, url: null, defaultBranch: 'main', paths: [] };
    store.write({ stream, topic: stream, type: 'repository_registered', at, by: 'ada', data });
  }
  for (let index = 0; index < notes; index += 1) {
    const [owner, name] = pick(names, index).split('/');
    const stream = `repository:${owner}/${name}`;
    const id = `${owner}/${name}/${Math.floor(index / names.length) + 1}`;
    const text = `Prices are in cents, note ${index}: “Ünïcode”, and a line\nbreak.`;
    const data = { owner, name, id, topic: `topic-${index % 7}`, text, supersedes: null };
    store.write({ stream, topic: stream, type: 'note_added', at: at + index * 60_000, by: pick(agents, index), data });
  }
  return names;
}

/** Chains of ten nodes; of ten, one is signed off and one is bound to a suite. */
function writePlan(store: OldStore, index: number, { nodes }: Counts, repository: string, at: number): void {
  const plan = planName(index);
  const topic = `plan:${plan}`;
  const nodeOf = (node: number) => ({
    id: `n${node}`,
    title: `Step ${node} of ${plan}`,
    ...(node % 10 === 0 ? {} : { dependsOn: [`n${node - 1}`] }),
    ...(node % 3 === 0 ? { labels: ['backend', `l${node % 5}`], estimateMinutes: 30 + node } : {}),
    ...(node % 10 === 0 ? { binding: { kind: 'signOff' } } : node % 10 === 1 ? { binding: { kind: 'suite' } } : {}),
  });
  const list = Array.from({ length: nodes }, (_, node) => nodeOf(node));
  const document = { plan, title: `Plan ${index + 1} – Ünïcode`, description: 'With *Markdown*.', repository };
  const data = { document: { ...document, nodes: list }, source: 'api' };
  store.write({ stream: topic, topic, type: 'plan_created', at: at + index * 3_600_000, by: 'ada', data });
}

/** A node without a binding is renamed repeatedly. */
function writeChanges(store: OldStore, { plans, nodes, changes }: Counts, begin: number): void {
  const titles = new Map<string, string>();
  for (let index = 0; index < changes; index += 1) {
    const plan = planName(index % plans);
    const id = `n${2 + (Math.floor(index / plans) % Math.min(8, nodes - 2))}`;
    const from = titles.get(`${plan}/${id}`) ?? `Step ${id.slice(1)} of ${plan}`;
    const to = `Renamed ${index}`;
    titles.set(`${plan}/${id}`, to);
    const data = { id, fields: { title: { from, to } } };
    const topic = `plan:${plan}`;
    store.write({
      stream: topic,
      topic,
      type: 'node_changed',
      at: begin + index * 1000,
      by: pick(agents, index),
      data,
    });
  }
}

/** Nodes are claimed, reported on and released repeatedly; every fiftieth lease expires instead. The last claim is kept. */
function writeClaims(store: OldStore, release: Release, counts: Counts, begin: number, end: number): void {
  const { plans, nodes, cycles } = counts;
  const fences = new Map<string, number>();
  const step = (end - begin) / cycles;
  for (let written = 0, cycle = 0; written < cycles; cycle += 1) {
    const plan = planName(cycle % plans);
    const id = `n${Math.floor(cycle / plans) % nodes}`;
    const ref = `${plan}/${id}`;
    const agent = pick(agents, cycle);
    const session = cycle % 4 === 0 ? `session-${cycle % 97}` : null;
    const at = Math.floor(begin + written * step);
    const fence = release === '0.1.0' ? (fences.get(ref) ?? 0) + 1 : Math.max(at, (fences.get(ref) ?? 0) + 1);
    fences.set(ref, fence);
    const lease = { session, leaseMinutes: 30, expiresAt: iso(at + 30 * 60_000) };
    const sessionBy = release === '0.2.0' && session !== null ? { sessionBy: 'argument' } : {};
    const runsOut = cycle % 50 === 7;
    const ended = runsOut
      ? {
          type: 'claim_expired',
          data: { id, agent, health: 'unlinked', reason: 'no_session', expiredAt: lease.expiresAt },
        }
      : { type: 'claim_released', data: { id, agent, health: 'unlinked', reason: 'no_session' } };
    const happened = [
      { type: 'node_claimed', data: { id, agent, ...lease, fence, renewed: false, ...sessionBy } },
      { type: 'claim_reported', data: { id, agent, ...lease, note: `Half of ${ref}, round ${cycle}` } },
      ended,
    ].slice(0, cycles - written);
    happened.forEach(({ type, data }, nth) => {
      const later = type === 'claim_expired' ? 30 * 60_000 : nth * 1000;
      const by = type === 'claim_expired' ? 'service' : agent;
      store.write({ stream: `claim:${ref}`, topic: `plan:${plan}`, type, at: at + later, by, data });
    });
    written += happened.length;
  }
}

/** Sign-offs, and evidence from runs of a suite. */
function writeEvidence(store: OldStore, release: Release, index: number, at: number): void {
  const plan = planName(index);
  const topic = `plan:${plan}`;
  const signed = { id: 'n0', note: 'fine', revoked: false };
  store.write({ stream: `evidence:${plan}/n0`, topic, type: 'node_signed_off', at, by: 'grace', data: signed });
  const run = suiteRunOf(index);
  const passed = run.fails ? 'failed' : 'passed';
  const counted = run.fails ? 'did not pass on main: 1 failed, exit code 1' : 'passed on main, 1 scenario';
  const counted1 = run.fails ? 'did not pass: 1 failed, exit code 1' : 'passed: 1 scenarios';
  const detail = release === '0.1.0' ? `run ${run.runId} ${counted1}` : `unit ${counted}`;
  const settledBy = { runId: run.runId, startedAt: iso(at), receivedAt: iso(at) };
  const data = {
    ...{ id: 'n1', from: 'notObserved', to: passed, settled: passed },
    ...(release === '0.2.0' ? { settledBy } : {}),
    ...{ detail, url: null, runId: run.runId },
  };
  store.write({ stream: `evidence:${plan}/n1`, topic, type: 'evidence_observed', at, by: 'observer:suite', data });
}

const suiteRunOf = (index: number) => ({
  runId: `run-${index + 1}`,
  tag: `${planName(index)}/n1`,
  fails: index % 7 === 3,
});

function writeRuns(release: Release, folder: string, counts: Counts, begin: number, end: number) {
  const sent = new Map<string, string>();
  const verdicts: string[] = [];
  const step = (end - begin) / counts.runs;
  const latest = end - day / 2;
  for (let index = 0; index < counts.runs; index += 1) {
    const runId = `run-${index + 1}`;
    const isOfPlan = index < counts.plans - counts.archived;
    const at = isOfPlan ? latest : Math.floor(begin + index * step);
    const isLarge = index >= counts.runs - counts.large;
    const tests = isLarge ? 2000 : isOfPlan ? 1 : 3 + (index % 9);
    const lines = runOf({ runId, index, at, tests, isOfPlan }).map((event) => `${JSON.stringify(event)}\n`);
    sent.set(runId, lines.join(''));
    const stamp = (more: object) => `${JSON.stringify({ type: 'console_stamp', runId, ...more })}\n`;
    const stamped =
      release === '0.1.0'
        ? lines
        : [
            stamp({ receivedAt: iso(at), publisher: null, trust: 'local' }),
            ...lines,
            ...(lines.at(-1)?.includes('run_finished') ? [stamp({ endedAt: iso(at + 60_000) })] : []),
          ];
    const path = join(folder, `${runId}.ndjson`);
    writeFileSync(path, stamped.join(''), { mode: 0o600 });
    utimesSync(path, (at + 60_000) / 1000, (at + 60_000) / 1000);
    verdicts.push(...verdictsOf(release, sent.get(runId) as string, runId, at));
  }
  return { runs: [...sent.keys()], sent, verdicts };
}

type RunShape = { runId: string; index: number; at: number; tests: number; isOfPlan: boolean };

/** Some fail, some pass on a retry, some are orphaned. */
function runOf({ runId, index, at, tests, isOfPlan }: RunShape): Record<string, unknown>[] {
  const fails = isOfPlan ? suiteRunOf(index).fails : index % 6 === 5;
  const isLeft = !isOfPlan && index % 41 === 40;
  const outcomeOf = (test: number) => {
    if (fails && test === 0) return 'Failed';
    if (isOfPlan) return 'CleanPass';
    return (index + test) % 29 === 0 ? 'PassOnRetry' : (index + test) % 31 === 30 ? 'Skipped' : 'CleanPass';
  };
  const suite = isOfPlan
    ? { suite: 'unit', tag: suiteRunOf(index).tag }
    : { suite: pick(['unit', 'e2e', 'api'], index) };
  const started = { mode: 'in-process', startedAt: iso(at), branch: 'main', totalScenarios: tests };
  const events: Record<string, unknown>[] = [
    { type: 'run_started', runId, repository: `/src/shop-${index % 4}`, ...suite, ...started },
  ];
  const tally: Record<string, number> = {};
  for (let test = 0; test < tests; test += 1) {
    const uid = test === 0 ? 'Wallet/crediting adds funds' : `Cart ${test % 40}/total ${test}`;
    const outcome = outcomeOf(test);
    tally[outcome] = (tally[outcome] ?? 0) + 1;
    const attempts = outcome === 'PassOnRetry' ? 2 : 1;
    for (let attempt = 1; attempt <= attempts; attempt += 1)
      events.push({
        type: 'scenario_started',
        runId,
        uid,
        feature: uid.split('/')[0],
        scenario: uid,
        attempt,
        at: iso(at + test),
      });
    const error = outcome === 'Failed' ? { errorMessage: 'expected 1 but was 2' } : {};
    const durationMs = 5 + (test % 90);
    events.push({
      type: 'scenario_finished',
      runId,
      uid,
      outcome,
      attempts,
      durationMs,
      ...error,
      at: iso(at + test + durationMs),
    });
  }
  if (isLeft) return events;
  const failed = tally.Failed ?? 0;
  const figures = { passed: tally.CleanPass ?? 0, failed, passedOnRetry: tally.PassOnRetry ?? 0, indeterminate: 0 };
  const finished = { skipped: tally.Skipped ?? 0, exitCode: failed > 0 ? 1 : 0, finishedAt: iso(at + 60_000) };
  return [...events, { type: 'run_finished', runId, ...figures, ...finished }];
}

function verdictsOf(release: Release, archive: string, runId: string, at: number): string[] {
  const finished = archive.split('\n').filter((line) => line.startsWith('{"type":"scenario_finished"'));
  return finished.map((line) => {
    const event = JSON.parse(line) as { uid: string; outcome: string; at: string };
    const arrived = release === '0.2.0' ? { receivedAt: iso(at) } : {};
    const { uid: identity, outcome } = event;
    return `${JSON.stringify({ identity, outcome, at: event.at, runId, ...arrived, touchedTypes: null })}\n`;
  });
}

if (import.meta.main) {
  const [release, folder] = process.argv.slice(2);
  if ((release !== '0.1.0' && release !== '0.2.0') || folder === undefined) {
    process.stderr.write('node bench/year.ts 0.1.0|0.2.0 FOLDER [--small]\n');
    process.exit(2);
  }
  const { plans, runs, events } = writeYear(release, folder, process.argv.includes('--small') ? 'small' : 'whole');
  process.stdout.write(`${release}: ${events} events, ${plans.length} plans, ${runs.length} runs in ${folder}\n`);
}
