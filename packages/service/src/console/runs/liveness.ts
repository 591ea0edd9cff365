import type { RunHeadline } from './run-views.ts';

/** A run whose publisher may still send. Nothing takes it off the board. */
export const isLive = ({ head, orphaned }: { head: RunHeadline; orphaned: boolean }): boolean =>
  head.finish === null && !orphaned;

/** A publisher that beats every ten seconds and was silent for that long is gone. */
export const isSilent = (heardAt: number, now: number, orphanSeconds: number): boolean =>
  now - heardAt > orphanSeconds * 1000;
