/** Every event that others can be notified of, and when it happens. */
export const occurrenceTypes = {
  node_ready: 'a node can be claimed: it is new, its last dependency is done, or it was released',
  node_claimed: 'a node was claimed; a renewal is not sent',
  node_submitted: 'a node was submitted and awaits its proof',
  node_done: 'a node is proven',
  node_failed: 'the proof of a node failed',
  node_parked: '`claim_next` skips a node: too many attempts failed, or its budget is used up',
  plan_done: 'every node of a plan is done',
  claim_orphaned: 'the session behind a claim is gone',
  session_waiting: 'a session waits for an answer or a permission',
  tree_contested: 'two live sessions work in one tree',
  run_failed: 'a run ended without being green, or was orphaned',
  run_recovered: 'a run is green, and the previous one of the same suite and branch was not',
  test_flaky: 'tests of a run passed only when retried, for the first time in the recent runs of their suite',
} as const;

export type OccurrenceType = keyof typeof occurrenceTypes;

/** Something that happened. `id` is derived from its cause, so that it is the same on every host and after a restart. */
export type Occurrence = {
  id: string;
  /** `run_ended` is only for GitHub; a test is sent on demand. */
  type: OccurrenceType | 'run_ended' | 'test';
  /** The ref, slug, run, session or tree that it concerns. */
  subject: string;
  at: string;
  /** One sentence, ready for a chat. */
  text: string;
  data: Readonly<Record<string, unknown>>;
};

/** An id that fits into a header and is unique to its cause; long ones end in a hash. */
export function occurrenceId(...parts: readonly string[]): string {
  const text = parts.map((part) => encodeURIComponent(part).replaceAll('.', '%2E')).join('_');
  return text.length <= mostId ? text : `${text.slice(0, mostId)}_${numberOf(text).toString(36)}`;
}

const mostId = 180;

/** FNV-1a, 52 bits. */
function numberOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x1000193];
  for (const unit of text) {
    const code = unit.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return (high >>> 0) * 0x100000 + ((low >>> 0) & 0xfffff);
}
