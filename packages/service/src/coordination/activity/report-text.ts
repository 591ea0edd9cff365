import type { Figures, Report, ReportGroup } from './contract.ts';

/** `18.4 M`, `310 k`. */
export const shortCount = (count: number): string =>
  count >= 999_500
    ? `${(count / 1_000_000).toFixed(1)} M`
    : count >= 1_000
      ? `${(count / 1_000).toFixed(count >= 100_000 ? 0 : 1)} k`
      : String(count);

/** `6 h 12 min`, `25 min`, `0`. */
export function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return minutes === 0 ? '0' : `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const groupTitles: Readonly<Record<ReportGroup, string>> = {
  agent: 'Agent',
  person: 'Person',
  repository: 'Repository',
  plan: 'Plan',
};

/** The name of a row; a row without a known person has none. */
export const rowName = (key: string | null): string => key ?? 'not attributed';

export const rowHeadings = [
  'Done',
  'Submitted',
  'Failed',
  'Back',
  'Expired',
  'Held',
  'Tokens',
  'Runs',
  'Waited',
] as const;

export const rowCells = (row: Figures): string[] => [
  String(row.done),
  String(row.submitted),
  String(row.failed),
  String(row.givenBack),
  String(row.expired),
  spanText(row.heldMs),
  shortCount(row.tokens),
  row.runsFailed > 0 ? `${row.runs} (${row.runsFailed} failed)` : String(row.runs),
  spanText(row.waitedMs),
];

/** One line with everything that was counted. */
export const totalsLine = (totals: Figures): string =>
  [
    `${totals.done} done`,
    `${totals.submitted} submitted`,
    `${totals.failed} failed`,
    `${totals.givenBack} released`,
    `${totals.expired} expired`,
    `${spanText(totals.heldMs)} held in ${totals.claims} claims`,
    `${shortCount(totals.tokens)} tokens`,
    `${totals.runs} runs (${totals.runsFailed} failed)`,
    `${spanText(totals.waitedMs)} waiting for people`,
  ].join(', ');

/** The lists of a report, line by line; the terminal and Markdown both use them. */
export function reportSections(report: Report, time: (iso: string) => string): { title: string; lines: string[] }[] {
  const { working, stuck, done, awaited, takenBack, tests, first } = report;
  const test = ({ uid, suite }: { uid: string; suite: string }) => `${uid} (${suite})`;
  const more = stuck.total - stuck.first.length;
  const sections = [
    {
      title: 'Done',
      lines: done.map((one) => `${one.ref} by ${one.agent ?? 'nobody known'}, ${one.how}, ${time(one.at)}`),
    },
    {
      title: 'Claimed now',
      lines: working.map(
        (one) =>
          `${one.ref} by ${one.agent} since ${time(one.since)}${one.health === 'held' || one.health === 'unlinked' ? '' : `, ${one.health}`}`,
      ),
    },
    {
      title: 'Stuck',
      lines: [...stuck.first.map((one) => `${one.title}: ${one.detail}`), ...(more > 0 ? [`and ${more} more`] : [])],
    },
    {
      title: 'Submitted, not proven',
      lines: awaited.map(
        (one) => `${one.ref} by ${one.agent} since ${time(one.since)}${one.person ? ', waits for a person' : ''}`,
      ),
    },
    {
      title: 'Taken back',
      lines: takenBack.map((one) => `${one.ref} of ${one.agent}, ${takenText(one)}, ${time(one.at)}`),
    },
    { title: 'Became flaky', lines: tests.flaky.map(test) },
    { title: 'No longer flaky', lines: tests.mended.map(test) },
    { title: 'First next', lines: first.map((one, index) => `${index + 1}. ${one.ref}: ${one.title} (${one.why})`) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

const takenText = ({ how, by }: Report['takenBack'][number]): string =>
  how === 'expired' ? 'lease ran out' : how === 'removed' ? `removed by ${by}` : `released by ${by}`;

/** Others wrote titles and names, so nothing in them may become markup. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&');

/** The report as Markdown, to paste. `time` formats an instant for its reader. */
export function reportMarkdown(report: Report, time: (iso: string) => string, zone: string): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = report.rows.map((each) => row([plain(rowName(each.key)), ...rowCells(each)]));
  const sections = reportSections(report, time).map(({ title, lines }) => {
    const items = lines.map((line) => (/^\d+\. /.test(line) ? plain(line) : `- ${plain(line)}`));
    return [`## ${title}`, '', ...items, ''].join('\n');
  });
  return [
    `# ${time(report.since)} to ${time(report.until)} (${zone})`,
    '',
    `${totalsLine(report.totals)}.`,
    '',
    ...(rows.length > 0
      ? [
          `## By ${report.by}`,
          '',
          row([groupTitles[report.by], ...rowHeadings]),
          row(['---', ...rowHeadings.map(() => '---:')]),
          ...rows,
          '',
        ]
      : []),
    ...sections,
  ].join('\n');
}
