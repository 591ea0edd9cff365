import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodeText } from '../import/decode-text.ts';
import type { ImportedTest } from '../import/imported-run.ts';
import { readResults } from '../import/read-results.ts';
import type { ReportedTest } from './reported-test.ts';
import { readTap } from './tap.ts';

const readers = { '.json': asImported, '.xml': asImported, '.trx': asImported, '.tap': readTap } as const;
const largest = 64 * 1024 * 1024;
const hidden = /^(\.|node_modules$|dist$)/;
/** Where Maven, Gradle and Cargo build: of all that lies there only folders of test reports are looked into. */
const built = /^(build|target)$/;
const ofReports = /test|report/i;

/** Report files that were written since then, near the folder; what is hidden or installed is not looked at. */
export function findReports(folder: string, since: number, depth = 3): string[] {
  const entries = quietly(() => readdirSync(folder, { withFileTypes: true }), []);
  const isBuilt = built.test(basename(folder));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (hidden.test(entry.name) || (isBuilt && !ofReports.test(entry.name))) return [];
      const left = built.test(entry.name) ? depth : depth - 1;
      return left >= 0 ? findReports(path, since, left) : [];
    }
    return entry.isFile() && extensionOf(path) !== null && writtenSince(path, since) ? [path] : [];
  });
}

/** The tests of a report in any of the formats; null when it is none of them. */
export function readReport(path: string): ReportedTest[] | null {
  const extension = extensionOf(path);
  if (quietly(() => statSync(path).size, 0) > largest) return null;
  const content = quietly(() => decodeText(readFileSync(path)), '');
  return extension === null ? readReportText(content) : readers[extension](content);
}

/** The same for what a command printed. */
export const readReportText = (content: string): ReportedTest[] | null => asImported(content) ?? readTap(content);

/** As import reads it: whatever a dialect writes means the same in both. */
function asImported(content: string): ReportedTest[] | null {
  const read = quietly(() => readResults(content), null);
  return read && 'run' in read ? read.run.tests.map(reportedTestOf) : null;
}

const states = { CleanPass: 'passed', Failed: 'failed', Aborted: 'other', Skipped: 'skipped' } as const;

const reportedTestOf = ({ name, outcome, earlier, steps, ...test }: ImportedTest): ReportedTest => ({
  ...test,
  scenario: name,
  state: states[outcome],
  attempts: earlier.length + 1,
});

function extensionOf(path: string): keyof typeof readers | null {
  return (Object.keys(readers) as (keyof typeof readers)[]).find((extension) => path.endsWith(extension)) ?? null;
}

/** Some file systems keep times by the second. */
const writtenSince = (path: string, since: number) => quietly(() => statSync(path).mtimeMs >= since - 1000, false);

function quietly<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
