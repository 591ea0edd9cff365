/** The text of a report, shared by the page and the command line. */
export type { ActivityEntry, Lane, Report, ReportGroup } from '../coordination/activity/contract.ts';
export { groupTitles, reportMarkdown, rowName, shortCount, spanText } from '../coordination/activity/report-text.ts';
