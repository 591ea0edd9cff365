/** `maxRuns` are on the board at most; beyond it the oldest ended ones are ejected. */
export type Policies = {
  orphanSeconds: number;
  retentionDays: number;
  retentionRuns: number;
  maxRuns: number;
  /** The total size limit for attachments of one run. */
  attachmentsMb: number;
  /** What is archived of one run, and of one publisher within an hour. */
  runMb: number;
  publisherMbPerHour: number;
};
