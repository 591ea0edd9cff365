import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { fenceForeignText } from '../console/runs/failure/foreign-text.ts';
import { agentSession } from './agent-session.ts';
import { chooseRun } from './choose-run.ts';
import { consoleUrlOption, createConsoleClient } from './client.ts';
import { reportOf } from './summary/run-report.ts';
import { type SummaryFormat, summaryFormats, writeSummary } from './summary/write-summary.ts';

type Options = { url?: string; format: SummaryFormat; suite?: string };

/** `signalbox summary [RUN]`: the failures of a run, most important first. */
export function addSummary(program: Command): void {
  program
    .command('summary')
    .description('show what failed in a run: locations, diffs and the command to run it again')
    .argument('[runId]', 'the run, or the start of its id (default: the live run, otherwise the newest)')
    .addOption(
      new Option('--format <format>', 'github: annotations, and Markdown into GITHUB_STEP_SUMMARY')
        .choices([...summaryFormats])
        .default('text'),
    )
    .option('--suite <name>', 'the newest run of this suite')
    .option(...consoleUrlOption)
    .action(async (runId: string | undefined, { url, format, suite }: Options) => {
      const client = createConsoleClient(url);
      const detail = await client.call('get_run', { runId: await chooseRun(client, runId, { suite }) });
      const text = writeSummary(reportOf(detail, client.url), format, process.env);
      const isForAgent = format !== 'github' && agentSession(process.env) !== null;
      process.stdout.write(isForAgent ? `${fenceForeignText([text.trimEnd()], randomUUID).join('\n')}\n` : text);
    });
}
