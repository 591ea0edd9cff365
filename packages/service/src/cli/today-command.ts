import { type Command, Option } from 'commander';
import { type ActivityEntry, activityKind, type Report, reportGroup } from '../coordination/activity/contract.ts';
import {
  groupTitles,
  reportMarkdown,
  reportSections,
  rowCells,
  rowHeadings,
  rowName,
  totalsLine,
} from '../coordination/activity/report-text.ts';
import { createClient, urlOption } from './client.ts';
import { jsonText, paint, printAnswer, table, visible } from './table.ts';

type Options = { url?: string; json?: boolean; since: string; by?: string };
type TodayOptions = Options & { by: Report['by']; markdown?: boolean };
type FeedOptions = Options & {
  plan?: string;
  repository?: string;
  kind?: ActivityEntry['kind'];
  limit: string;
  cursor?: string;
};

const sinceOption = ['--since <time>', 'today (your midnight), 24h, 7d, or an instant', 'today'] as const;

/** `signalbox today` and `signalbox activity`: the team's work. */
export function addToday(program: Command): void {
  program
    .command('today')
    .description('report of the day: who did what, what it cost, what is stuck, withdrawn or flaky, and what is next')
    .option(...sinceOption)
    .addOption(new Option('--by <group>', 'rows by').choices(reportGroup.options).default('agent'))
    .option('--markdown', 'print Markdown, to paste')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async ({ url, json, since, by, markdown }: TodayOptions) => {
      const report = await createClient(url).call('activity_report', { since: sinceOf(since), by });
      const text = json ? jsonText(report) : (markdown ? reportMarkdown : todayText)(report, moment, readersZone());
      process.stdout.write(text);
    });
  program
    .command('activity')
    .description('events of all plans, runs, claims, sign-offs and tokens, newest first')
    .option(...sinceOption)
    .option('--by <name>', 'only events of this agent or person')
    .option('--plan <slug>', 'only events of this plan')
    .option('--repository <name>', 'only events of this repository')
    .addOption(
      new Option('--kind <kind>', 'only events of this kind (default: all except report)').choices(
        activityKind.options,
      ),
    )
    .option('--limit <count>', 'maximum number', '50')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async ({ url, json, since, limit, ...filter }: FeedOptions) => {
      const feed = await createClient(url).call('list_activity', {
        since: sinceOf(since),
        ...filter,
        limit: Number(limit),
      });
      printAnswer(json, feed, () => activityText(feed, moment, readersZone()));
    });
}

/** Midnight in the reader's time zone, which may differ from the service's. */
const sinceOf = (text: string): string =>
  text === 'today' ? new Date(new Date().setHours(0, 0, 0, 0)).toISOString() : text;

const two = (value: number): string => String(value).padStart(2, '0');

/** The time in the time zone of the terminal. */
function moment(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

const readersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function todayText(report: Report, time: (iso: string) => string, zone: string): string {
  const rows = report.rows.map((row) => [rowName(row.key), ...rowCells(row)]);
  const headings = [groupTitles[report.by], ...rowHeadings].map((heading) => heading.toUpperCase());
  const parts = [
    `${paint('bold', `${time(report.since)} to ${time(report.until)} (${zone})`)}\n${totalsLine(report.totals)}\n`,
    ...(rows.length > 0 ? [table(headings, rows)] : ['Nothing happened.\n']),
    ...reportSections(report, time).map(
      ({ title, lines }) => `${paint('bold', title)}\n${lines.map((line) => `  ${visible(line)}\n`).join('')}`,
    ),
  ];
  return parts.join('\n');
}

export const activityText = (feed: readonly ActivityEntry[], time: (iso: string) => string, zone: string): string =>
  feed.length === 0
    ? 'Nothing happened.\n'
    : [
        `${paint('dim', `Times in ${zone}`)}\n`,
        ...feed.map(({ at, says }) => `${paint('dim', time(at))}  ${visible(says)}\n`),
      ].join('');
