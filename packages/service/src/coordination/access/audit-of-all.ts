import type { AuditOfHost } from '../../kernel/audit.ts';

/** The newest entries of all hosts, and the hosts of which there are none because they did not answer. */
export function auditOfAll(answers: readonly AuditOfHost[], limit: number) {
  const items = answers.flatMap(({ host, page }) =>
    typeof page === 'string' ? [] : page.items.map((entry) => ({ ...entry, host })),
  );
  const newest = items.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1)).slice(0, limit);
  const isMore = items.length > limit || answers.some(({ page }) => typeof page !== 'string' && page.next !== null);
  return {
    items: newest,
    next: isMore ? (newest.at(-1)?.at ?? null) : null,
    hosts: answers.flatMap(({ host, page }) => (typeof page === 'string' ? [] : [host])),
    missing: answers.flatMap(({ host, page }) => (typeof page === 'string' ? [{ host, why: page }] : [])),
  };
}
