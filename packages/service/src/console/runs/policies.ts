/** Beyond `maxRuns` runs on the board, the oldest ended ones are ejected. */
export type Policies = {
  orphanSeconds: number;
  retentionDays: number;
  retentionRuns: number;
  maxRuns: number;
  /** The total size limit for attachments of one run. */
  attachmentsMb: number;
  /** Limits of the bytes archived for one run, and from one publisher within an hour. */
  runMb: number;
  publisherMbPerHour: number;
};
