/** How a report reads, as the page and the command line share it. */
export type { ActivityEntry, Lane, Report, ReportGroup } from '../coordination/activity/contract.ts';
export { groupTitles, reportMarkdown, rowName, shortCount, spanText } from '../coordination/activity/report-text.ts';
