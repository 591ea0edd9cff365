/**
 * Which of the living hosts looks at something that any of them could: the one with the highest mark for it. All hosts
 * come to the same answer, and when one goes only what it looked at changes hands.
 */
export function isOnDuty(self: string, others: Iterable<string>, what: string): boolean {
  const own = mark(self, what);
  for (const other of others) {
    const theirs = mark(other, what);
    if (theirs > own || (theirs === own && other > self)) return false;
  }
  return true;
}

/** FNV-1a, 32 bits. */
function mark(host: string, what: string): number {
  let hash = 0x811c9dc5;
  for (const unit of `${host} ${what}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
