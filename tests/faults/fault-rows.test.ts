import { checkReportRows } from '../report-rows.ts';

const here = 'tests/faults';

checkReportRows('R', 20, {
  R1: {
    says: 'SIGKILL in the middle of claims from 64 clients',
    tests: [
      'tests/long/kills/kill-claims.test.ts > SIGKILL in the middle of claims from 64 clients',
      'tests/long/kills/kill-workers.test.ts > SIGKILL under a worker with 32 functions',
      'tests/long/kills/kill-store.test.ts > sqlite: kill -9 in the middle of concurrent appends loses nothing that was answered',
    ],
  },
  R2: {
    says: 'The k-th call to the disk fails, for every k and every kind',
    tests: [
      'tests/long/disk/disk.test.ts > the k-th write, flush, rename or truncation of the store fails',
      'tests/long/disk/disk.test.ts > the power is cut at any call to the disk',
      'tests/long/disk/disk.test.ts > a disk that is full from some call on, and one that takes only half of a write',
    ],
  },
  R3: {
    says: 'A flush fails once and works again',
    tests: ['tests/long/disk/disk.test.ts > a flush fails once: nothing answered is lost, the reason is told'],
  },
  R4: {
    says: 'An archive cut at every byte of its last line',
    tests: [`${here}/archives.test.ts > an archive cut at any byte of its last line opens`],
  },
  R5: {
    says: 'One flipped bit in an archive and in the store',
    tests: [
      `${here}/archives.test.ts > costs at most the lines it touches and is never a fault`,
      `${here}/store-damage.test.ts > a flipped bit in the store is told or harmless, and never a claim that nobody made`,
    ],
  },
  R6: {
    says: 'A full disk, on a small file system of its own',
    tests: ['tests/long/disk/full-disk.test.ts > a full disk refuses what it cannot keep, reads go on'],
  },
  R7: {
    says: 'Clocks that jump, run fast, slow and stand still across a restart',
    tests: [
      `${here}/clocks.test.ts > the clock on the wall goes an hour on, an hour back and half an hour back`,
      `${here}/clocks.test.ts > a clock that runs too fast or too slow on the wall changes no lease`,
      `${here}/clocks.test.ts > across a restart a lease ends by the wall`,
      `${here}/clocks.test.ts > hosts whose clocks are days apart agree on the end of a lease`,
    ],
  },
  R8: {
    says: 'Sixty-four clients claim the same node, a thousand times',
    tests: [
      'tests/scenarios/claim-race-over-http.test.ts > 64 clients race for each of 40 nodes',
      'tests/long/load/http-race.test.ts > 64 clients race for each of',
    ],
  },
  R9: {
    says: 'Claims a millisecond before, at and after the end of a lease',
    tests: [`${here}/clocks.test.ts > a claim a millisecond before, at and after the end of a lease`],
  },
  R10: {
    says: 'A holder stopped past its lease comes back',
    tests: ['tests/scenarios/lease-end.test.ts > a holder that was stopped past its lease cannot write over'],
  },
  R11: {
    says: 'The service itself stands still past a lease',
    tests: [`${here}/blocked.test.ts > a service that stood still past the end of a lease gives it to one of those`],
  },
  R12: {
    says: 'The same batch sent twice',
    tests: [
      'tests/scenarios/ingest.test.ts > a recorded run reads the same in batches of 1, 7 and 200, each sent once or twice',
    ],
  },
  R13: {
    says: 'SIGKILL in the middle of ingest of 1,000 runs',
    tests: ['tests/long/kills/kill-ingest.test.ts > nothing that was answered is lost to SIGKILL'],
  },
  R14: {
    says: 'Readers of the hub that never read',
    tests: ['tests/hub/slow.test.ts > twenty readers that never read while 40 MB flow are cut off'],
  },
  R15: {
    says: 'Ejects in the middle of ingest, and crashes in the middle of an eject',
    tests: [
      `${here}/archives.test.ts > ejects in the middle of ingest never take a live run`,
      'tests/scenarios/eject.test.ts > after a crash between any two steps of an eject the archive is in one place',
    ],
  },
  R16: {
    says: 'Session files cut, rotated, removed, half written, huge and broken',
    tests: [
      `${here}/session-files.test.ts > a file that is truncated, rotated or replaced is read again from its start`,
      `${here}/session-files.test.ts > a character written in two halves, ends of lines of another system`,
      `${here}/session-files.test.ts > a single line of many megabytes costs no more than is ever read`,
      `${here}/session-files.test.ts > corrupt lines, an unfinished line and non-text bytes are skipped`,
    ],
  },
  R17: {
    says: 'No watches left',
    tests: [
      `${here}/watches.test.ts > without free file watches a system is polled, and the source reports it`,
      'tests/agents/cost.test.ts > a folder that cannot be watched is polled, and that is said',
    ],
  },
  R18: {
    says: 'Graphs as deep, as wide and as circular as they get',
    tests: [
      `${here}/graphs.test.ts > a chain as deep as a plan can be is taken, ordered and counted`,
      `${here}/graphs.test.ts > a diamond with 2 to the 30 paths counts its nodes`,
      `${here}/graphs.test.ts > a node cannot wait for itself, for a circle of two, for one through another plan`,
      'packages/service/src/coordination/plans/cycles.test.ts > a chain of 100,000 nodes has no cycle',
    ],
  },
  R19: {
    says: 'Stories from a seed against a model',
    tests: [
      'tests/simulation/simulation.test.ts > stories of claims, crashes, full and broken disks and clocks that jump',
    ],
  },
  R20: {
    says: 'Half an hour of claims, events and listeners',
    tests: ['tests/long/soak/soak.ts > Run as: node tests/long/soak/soak.ts'],
  },
});
