import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleClient } from '../client.ts';
import { reportOf } from '../summary/run-report.ts';
import { writeSummary } from '../summary/write-summary.ts';

const files = { html: 'signalbox-report.html', ctrf: 'signalbox-ctrf.json', junit: 'signalbox-junit.xml' } as const;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Writes the reports of a run for a pipeline: the page as one file, CTRF, JUnit, and GitHub's annotations and step summary. A file that cannot be written is reported; the exit code is still the command's.
 */
export async function writeReports(
  client: ConsoleClient,
  runId: string,
  folder: string,
  env: Env,
  stays: boolean,
): Promise<void> {
  const written: string[] = [];
  for (const [format, name] of Object.entries(files)) {
    await unlessFailed(name, async () => {
      const text = await client.call('get_run_export', { runId, format });
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), text);
      written.push(join(folder, name));
    });
  }
  await unlessFailed('the summary', async () => {
    // Without a link, because the console ends with the command.
    const report = reportOf(await client.call('get_run', { runId }), stays ? client.url : null);
    if (env.GITHUB_ACTIONS) process.stdout.write(writeSummary(report, 'github', env));
    const reports = written.length > 0 ? ` Reports: ${written.join(', ')}` : '';
    process.stdout.write(`${report.title}.${reports}\n`);
  });
}

async function unlessFailed(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (fault) {
    process.stderr.write(`${what} was not written: ${fault instanceof Error ? fault.message : fault}\n`);
  }
}
