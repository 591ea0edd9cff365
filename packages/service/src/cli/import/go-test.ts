import { parsedJson } from '../../kernel/parsed-json.ts';
import { goHeadline } from './go-headline.ts';
import { type ImportedRun, type ImportedTest, importedTest } from './imported-run.ts';
import { type ResultStream, type StreamNews, Tail, testsIn } from './result-stream.ts';

/** One line of `go test -json`. */
type GoEvent = {
  Time?: string;
  Action: string;
  Package?: string;
  ImportPath?: string;
  Test?: string;
  Elapsed?: number;
  Output?: string;
  FailedBuild?: string;
};
type GoTest = { feature: string; name: string; output: Tail };
type GoPackage = { output: Tail; isBad: boolean; open: Map<string, GoTest> };

const actions = new Set([
  'start',
  'run',
  'pause',
  'cont',
  'output',
  'bench',
  'pass',
  'fail',
  'skip',
  'build-output',
  'build-fail',
]);

export const isGoEvent = (value: unknown): value is GoEvent =>
  typeof value === 'object' && value !== null && 'Action' in value && actions.has(String(value.Action));

const ends: Record<string, ImportedTest['outcome']> = { pass: 'CleanPass', fail: 'Failed', skip: 'Skipped' };
/** The tool's own progress lines, mixed into a test's output. */
const noise = /^\s*(?:===|---) /;
/** Before 1.24, Go prints build errors as plain text. */
const unbuilt = /^FAIL\s+(\S+) \[(?:build|setup) failed\]/;
const compiling = /^# (\S+)/;

/** Reads the output of `go test -json`. A package that fails without a failing test is reported as `(package)`. */
export class GoTestStream implements ResultStream {
  readonly #packages = new Map<string, GoPackage>();
  readonly #builds = new Map<string, Tail>();
  readonly #broken = new Map<string, string>();
  #building: Tail | null = null;

  line(text: string): StreamNews[] {
    const event = parsed(text);
    if (!event) return this.#plain(text);
    this.#building = null;
    const { Action, ImportPath = '', Output = '' } = event;
    if (Action === 'build-output' || Action === 'build-fail') {
      this.#build(ImportPath).add(Output);
      return [];
    }
    return event.Test === undefined ? this.#ofPackage(event) : this.#ofTest(event, event.Test);
  }

  end(): StreamNews[] {
    const left = [...this.#packages.values()].flatMap((one) => this.#leave(one));
    const broken = [...this.#broken].map(([feature, built]) => {
      const printed = this.#packages.get(feature)?.output.text() ?? '';
      const build = this.#builds.get(built) ?? [...this.#builds].find(([name]) => name.startsWith(`${feature} `))?.[1];
      const text = `${build?.text() ?? ''}${printed}`.trim();
      const { message, ...place } = goHeadline(text);
      const said = message ?? 'The package failed, but none of its tests did.';
      const test = { feature, name: '(package)', outcome: 'Failed' as const, message: said, stackTrace: text || null };
      return { ended: importedTest({ ...test, ...place, durationMs: 0 }) };
    });
    return [...left, ...broken];
  }

  #ofTest({ Action, Package: feature = '', Elapsed = 0, Output = '' }: GoEvent, name: string): StreamNews[] {
    const own = this.#package(feature);
    const known = own.open.get(name);
    const test = known ?? { feature, name, output: new Tail() };
    own.open.set(name, test);
    test.output.add(Output);
    const outcome = ends[Action];
    const started = known ? [] : [{ started: { feature, name } }];
    if (outcome === undefined) return started;
    own.open.delete(name);
    own.isBad ||= outcome === 'Failed';
    return [...started, { ended: testOf(test, outcome, Math.round(Elapsed * 1000)) }];
  }

  #ofPackage({ Action, Package: feature = '', Output = '', FailedBuild = feature }: GoEvent): StreamNews[] {
    const own = this.#package(feature);
    own.output.add(Output);
    if (!(Action in ends)) return [];
    const left = this.#leave(own);
    if (Action === 'fail' && !own.isBad) this.#broken.set(feature, FailedBuild);
    return left;
  }

  /** Tests without a verdict when their package ended: before 1.20, Go misses a verdict after an unfinished line. */
  #leave(own: GoPackage): StreamNews[] {
    const left = [...own.open.values()];
    own.open.clear();
    return left.map((test) => {
      // linear: a fixed text around the escaped name.
      const said = new RegExp(`--- (PASS|FAIL|SKIP): ${escaped(test.name)} \\(`).exec(test.output.text())?.[1];
      const outcome = said === undefined ? 'Aborted' : (ends[said.toLowerCase()] ?? 'Aborted');
      own.isBad ||= outcome === 'Aborted' || outcome === 'Failed';
      return { ended: testOf(test, outcome, 0) };
    });
  }

  #plain(text: string): StreamNews[] {
    const failed = unbuilt.exec(text)?.[1];
    const built = compiling.exec(text)?.[1];
    if (failed !== undefined) this.#broken.set(failed, failed);
    if (built !== undefined) this.#building = this.#build(built);
    else if (failed !== undefined) this.#building = null;
    else this.#building?.add(`${text}\n`);
    return [];
  }

  #build(name: string): Tail {
    const known = this.#builds.get(name) ?? new Tail();
    this.#builds.set(name, known);
    return known;
  }

  #package(name: string): GoPackage {
    const known = this.#packages.get(name) ?? { output: new Tail(), isBad: false, open: new Map() };
    this.#packages.set(name, known);
    return known;
  }
}

export function readGoTest(lines: readonly string[]): ImportedRun {
  const times = lines.flatMap((line) => Date.parse(parsed(line)?.Time ?? '')).filter(Number.isFinite);
  const tests = testsIn(new GoTestStream(), lines);
  return { suite: '', startedAtMs: times[0] ?? null, stoppedAtMs: times.at(-1) ?? null, tests };
}

function testOf({ feature, name, output }: GoTest, outcome: ImportedTest['outcome'], durationMs: number): ImportedTest {
  const text = output
    .text()
    .split('\n')
    .filter((line) => !noise.test(line))
    .join('\n')
    .trimEnd();
  const isBad = outcome === 'Failed' || outcome === 'Aborted';
  const { message, ...place } = outcome === 'CleanPass' ? { message: null } : goHeadline(text);
  return importedTest({
    feature,
    name,
    outcome,
    durationMs,
    message: message ?? (outcome === 'Aborted' ? 'no verdict' : null),
    stackTrace: isBad ? text.trim() || null : null,
    ...place,
    ...(text.trim() !== '' && { stdout: text.replace(/^\n+/, '') }),
  });
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function parsed(line: string): GoEvent | null {
  if (!line.startsWith('{')) return null;
  const value = parsedJson(line);
  return isGoEvent(value) ? value : null;
}
