/** A plausible bug, as a change of one text in one file. */
export type Plant = { file: string; from: string; to: string };

export const plants = {
  'skipped-flush': {
    file: 'store/sqlite/sqlite-ledger.ts',
    from: "synchronous: Synchronous = 'FULL'",
    to: "synchronous: Synchronous = 'OFF'",
  },
  'double-claim': {
    file: 'coordination/claims/decide.ts',
    from: 'if (!isHolder(lease, request, facts)) return { heldBy',
    to: 'if (!isHolder(lease, request, facts) && now < lease.claimedAt) return { heldBy',
  },
  'missing-origin-check': {
    file: 'edge/safety.ts',
    from: 'checkHost(sender, trust) ?? checkOrigin(sender, trust) ?? checkFetchSite(sender)',
    to: 'checkHost(sender, trust) ?? checkFetchSite(sender)',
  },
  'unbounded-buffer': {
    file: 'edge/hub/message-feed.ts',
    from: 'reader.waiting = !reader.socket.write(frameOf(message, reader.protocol));',
    to: 'reader.socket.write(frameOf(message, reader.protocol));',
  },
  'unchecked-append': {
    file: 'store/postgres/append.ts',
    from: '    epoch,\n    sequence,\n    id,\n',
    to: '    null,\n    0,\n    null,\n',
  },
  'unchecked-read': {
    file: 'store/postgres/log-position.ts',
    from: 'signalbox.holds($1, $2, $3) AS holds',
    to: '($1::uuid IS NULL OR $2::bigint = 0 OR $3::uuid IS NOT NULL) AS holds',
  },
  'fence-without-clock': {
    file: 'coordination/claims/decide.ts',
    from: 'Math.max(last + 1, Date.parse(now))',
    to: 'last + (now ? 1 : 0)',
  },
  'old-snapshot': {
    file: 'store/folded-state.ts',
    from: 'ledger.epoch() === snapshot.epoch && ledger.idAt(snapshot.sequence) === snapshot.id',
    to: 'ledger.epoch() !== snapshot.id',
  },
  'clock-without-sleep': {
    file: 'store/clock-over-sleep.ts',
    from: 'slept += ahead;',
    to: '',
  },
} as const satisfies Record<string, Plant>;

export type PlantName = keyof typeof plants;
