/** A mistake that somebody could make, as the change of one text in one file. */
export type Plant = { file: string; from: string; to: string };

export const plants = {
  'skipped-flush': {
    file: 'store/sqlite/sqlite-ledger.ts',
    from: "synchronous: Synchronous = 'FULL'",
    to: "synchronous: Synchronous = 'OFF'",
  },
  'double-claim': {
    file: 'coordination/claims/decide.ts',
    from: 'if (!holds(lease, ask, facts)) return { heldBy',
    to: 'if (!holds(lease, ask, facts) && now < lease.claimedAt) return { heldBy',
  },
  'missing-origin-check': {
    file: 'edge/safety.ts',
    from: 'checkHost(sender, trust) ?? checkOrigin(sender, trust) ?? checkFetchSite(sender)',
    to: 'checkHost(sender, trust) ?? checkFetchSite(sender)',
  },
  'unbounded-buffer': {
    file: 'edge/hub/feed.ts',
    from: 'reader.waiting = !reader.socket.write(frameOf(message, reader.speech));',
    to: 'reader.socket.write(frameOf(message, reader.speech));',
  },
} as const satisfies Record<string, Plant>;

export type PlantName = keyof typeof plants;
