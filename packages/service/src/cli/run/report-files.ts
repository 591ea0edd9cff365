import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readPlainFile } from '../../files/plain-file.ts';
import { errorMessage } from '../../kernel/error-code.ts';
import { decodeText } from '../import/decode-text.ts';
import { type ImportedTest, outsideTests } from '../import/imported-run.ts';
import { isJvmFile, jvmSources } from '../import/jvm-place.ts';
import { readResults } from '../import/read-results.ts';
import { quietly } from '../quietly.ts';

const extensions = ['.json', '.xml', '.trx', '.tap', '.ndjson'];
const largest = 64 * 1024 * 1024;
/** Folders that are hidden, installed or generated for other tools. */
const hidden = /^(?:\.|node_modules$|vendor$|dist$|venv$|__pycache__$)/;
/** Build folders of Maven, Gradle and Cargo: only their folders of test reports are searched. */
const built = /^(?:build|target)$/;
const ofReports = /test|report|nextest/i;
const mostFolders = 20_000;

export type FoundReports = { files: string[] /** Whether some folders were not searched. */; isPartial: boolean };

/** Finds report files written since the start, at any depth. */
export function findReports(folder: string, since: number): FoundReports {
  const files: string[] = [];
  const folders = [{ path: folder, isBuilt: false }];
  let looked = 0;
  for (let next = folders.pop(); next && looked < mostFolders; next = folders.pop()) {
    looked += 1;
    const { path, isBuilt } = next;
    for (const entry of quietly(() => readdirSync(path, { withFileTypes: true }), [])) {
      const inside = join(path, entry.name);
      if (entry.isDirectory() && !hidden.test(entry.name) && (!isBuilt || ofReports.test(entry.name)))
        folders.push({ path: inside, isBuilt: built.test(entry.name) });
      if (entry.isFile() && extensions.some((end) => entry.name.endsWith(end)) && writtenSince(inside, since))
        files.push(inside);
    }
  }
  return { files: files.sort(), isPartial: folders.length > 0 };
}

export type Report = { file: string; tests: ImportedTest[] };
export type LeftOut = { file: string; why: string };
export type ReadReports = { read: Report[]; leftOut: LeftOut[] };

/** A report that cannot be read is a failure: a runner that died leaves such a file. */
const isReportLike = (content: string): boolean =>
  /<testsuites?[\s>]|<TestRun[\s>]|"results"\s*:\s*\{|"Action":"|^1\.\.\d|^TAP version/m.test(content.slice(0, 4096));

/** Reads all reports. One whose tests are all in another file is left out, with a reason. */
export function readReports(files: readonly string[], folder: string, isNamed: boolean): ReadReports {
  const read: Report[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    const name = relative(folder, file) || basename(file);
    if (quietly(() => statSync(file).size, 0) > largest) {
      leftOut.push({ file: name, why: 'it is larger than 64 MB' });
      continue;
    }
    const content = quietly(() => decodeText(readPlainFile(file, largest)), null);
    const found = content === null ? 'it does not exist' : testsOf(content);
    if (typeof found !== 'string')
      read.push({ file: name, tests: found.map((test) => inSources(test, dirname(file), folder)) });
    else if (content !== null && isReportLike(content)) read.push({ file: name, tests: [brokenReport(name, found)] });
    else if (isNamed) leftOut.push({ file: name, why: found });
  }
  return withoutCopies(read, leftOut);
}

/** A JVM file is named relative to its sources, next to the build folder of the report. */
function inSources(test: ImportedTest, from: string, folder: string): ImportedTest {
  const { file } = test;
  if (file === null || !isJvmFile(file)) return test;
  for (let at = from; at.startsWith(folder); at = dirname(at)) {
    const found = jvmSources.map((sources) => join(at, sources, file)).find((path) => existsSync(path));
    if (found !== undefined) return { ...test, file: relative(folder, found) };
    if (at === folder || dirname(at) === at) break;
  }
  return test;
}

const brokenReport = (file: string, why: string): ImportedTest =>
  outsideTests(file, '(report)', `The report cannot be read: ${why}`);

/** The tests of a report in any of the formats, or why there are none. */
export function testsOf(content: string): ImportedTest[] | string {
  try {
    const read = readResults(content);
    return 'run' in read ? read.run.tests : 'it contains monitor events; use "signalbox import"';
  } catch (fault) {
    return errorMessage(fault);
  }
}

function withoutCopies(read: readonly Report[], leftOut: LeftOut[]): ReadReports {
  const kept: Report[] = [];
  for (const report of [...read].sort((a, b) => b.tests.length - a.tests.length)) {
    const of = kept.find((other) => isCopy(report.tests, other.tests));
    if (of) leftOut.push({ file: report.file, why: `its tests are all in ${of.file}` });
    else kept.push(report);
  }
  return { read: read.filter((report) => kept.includes(report)), leftOut };
}

/** Equal in names, outcomes and times; two formats of one run agree at least in names and outcomes. */
function isCopy(tests: readonly ImportedTest[], of: readonly ImportedTest[]): boolean {
  if (tests.length === 0) return of.length > 0;
  const exact = ({ feature, name, outcome, durationMs }: ImportedTest) =>
    [feature, name, outcome, durationMs].join('\n');
  const loose = ({ name, outcome }: ImportedTest) => [name, outcome].join('\n');
  const isTimed = tests.some(({ durationMs, feature }) => (durationMs ?? 0) > 0 || feature !== '');
  if (isTimed && contains(of.map(exact), tests.map(exact))) return true;
  return tests.length > 2 && tests.length === of.length && contains(of.map(loose), tests.map(loose));
}

function contains(all: readonly string[], some: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const one of all) left.set(one, (left.get(one) ?? 0) + 1);
  return some.every((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  });
}

/** Some file systems store whole seconds, so a file can seem older than the process that wrote it. */
export function writtenSince(path: string, since: number): boolean {
  return quietly(() => {
    const { mtimeMs } = statSync(path);
    return mtimeMs >= (mtimeMs % 1000 === 0 ? since - 1000 : since);
  }, false);
}
