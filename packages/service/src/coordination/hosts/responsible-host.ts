/**
 * Which live host observes a subject that any of them could observe: the one with the highest weight for it. All hosts
 * compute the same answer, and when a host leaves, only its own subjects move to others.
 */
export function isResponsible(self: string, others: Iterable<string>, subject: string): boolean {
  const own = weightOf(self, subject);
  for (const other of others) {
    const theirs = weightOf(other, subject);
    if (theirs > own || (theirs === own && other > self)) return false;
  }
  return true;
}

/** FNV-1a, 32 bits. */
function weightOf(host: string, subject: string): number {
  let hash = 0x811c9dc5;
  for (const unit of `${host} ${subject}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
