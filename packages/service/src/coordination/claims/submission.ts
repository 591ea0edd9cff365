import type { z } from 'zod';
import type { SubmissionView } from '../../kernel/claim-view.ts';
import type { submissionEnd } from './events.ts';

export type SubmissionEnd = z.output<typeof submissionEnd>;

/** A submission, which awaits its proof. */
export type Submission = {
  readonly agent: string;
  readonly session: string | null;
  readonly note: string | null;
  readonly at: string;
  /** When waiting for the current binding began; later than `at` if the node was bound again. */
  readonly awaitedSince: string;
  readonly hours: number;
  /** How evidence has ended it, before the event that records the end is written. */
  readonly settled: Extract<SubmissionEnd, 'proven' | 'contradicted'> | null;
};

/** Kinds that a machine observes: if such a proof does not arrive, the node is offered again. */
const observedByMachine: ReadonlySet<string> = new Set(['suite', 'commit', 'package', 'dependency']);

/** When it is overdue; never if a person decides, or if nothing can prove it. */
export const overdueAt = ({ awaitedSince, hours }: Submission, kind: string | null): string | null =>
  kind !== null && observedByMachine.has(kind)
    ? new Date(Date.parse(awaitedSince) + hours * 3_600_000).toISOString()
    : null;

/** How a submission has ended by evidence or by the clock, though no event records it yet; null while it is open. */
export function endOf(submission: Submission, kind: string | null, now: string): SubmissionEnd | null {
  if (submission.settled) return submission.settled;
  const until = overdueAt(submission, kind);
  return until !== null && until <= now ? 'overdue' : null;
}

export const viewSubmission = (submission: Submission, kind: string | null): SubmissionView => {
  const { agent, session, at, note } = submission;
  return { agent, session, at, note, until: overdueAt(submission, kind) };
};
