import { iso } from './clock.ts';

/** A condition that stops the service from working, or soon will. The codes are stable: probes and alerts may depend on them. */
export const conditionCodes = [
  'store_not_writable',
  'store_damaged',
  'database_away',
  'runs_not_writable',
  'disk_full',
  'data_path_not_writable',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_ends_soon',
  'clock_went_back',
  'snapshot_unusable',
  'notifications_failing',
  'backup_too_old',
  'sign_in_provider_away',
] as const;

export type ConditionCode = (typeof conditionCodes)[number];

export type Condition = {
  code: ConditionCode;
  /** `down`: the service is not ready. `warning`: it works, but a person should act. */
  severity: 'down' | 'warning';
  /** The condition in one sentence. Names no path and no address: it is shown without a token. */
  detail: string;
  /** What to do, in one sentence. */
  next: string;
  since: string | null;
};

/** The observed facts; null if they do not apply or cannot be known. */
export type ConditionFacts = {
  now: number;
  store: { state: 'ready' | 'doubtful' | 'lost' | 'damaged'; since: string | null };
  /** When the shared database became unreachable; null while it is reachable. */
  databaseAwaySince: string | null;
  runs: { writable: boolean; since: string | null };
  freeBytes: number | null;
  minFreeBytes: number;
  /** Names in the data path that this user cannot write, the data path itself as `.`. */
  notWritable: readonly string[];
  certificate: { from: number; until: number } | null;
  /** How far the clock of the machine is behind a time that it has already shown. */
  clockBehindMs: number;
  /** Why the snapshot was not used at the start; null once another is written. */
  snapshot: { why: string; since: string } | null;
  /** Consecutive failed attempts of each webhook that rejected the last event, by its name. */
  notifications: { failed: number; since: string | null; receivers: readonly string[] };
  /** When the sign-in provider stopped answering; null while it answers. */
  providerAwaySince: string | null;
  /** `lastAt` is null if there is none; `everyHours` is null if the service does not back itself up. */
  backup: { lastAt: number | null; everyHours: number | null; since: number };
};

const dayMs = 24 * 60 * 60_000;
const hourMs = 60 * 60_000;
const endsSoonMs = 14 * dayMs;
/** Clocks are adjusted by fractions of a second all the time. */
const mostBehindMs = 5_000;
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Every current condition, the worst first. Readiness, status, doctor, the page, the health check and the metrics all use this list. */
export function conditionsOf(facts: ConditionFacts): Condition[] {
  return [
    ...storeConditions(facts),
    ...diskConditions(facts),
    ...certificateConditions(facts),
    ...machineConditions(facts),
    ...backupConditions(facts),
  ].sort((one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning'));
}

export const isReady = (conditions: readonly Condition[]): boolean =>
  conditions.every(({ severity }) => severity !== 'down');

const down = (code: ConditionCode, since: string | null, detail: string, next: string): Condition => ({
  code,
  severity: 'down',
  detail,
  next,
  since,
});
const warning = (code: ConditionCode, since: string | null, detail: string, next: string): Condition => ({
  ...down(code, since, detail, next),
  severity: 'warning',
});

function* storeConditions({ store, databaseAwaySince, runs }: ConditionFacts): Iterable<Condition> {
  if (databaseAwaySince !== null)
    yield down(
      'database_away',
      databaseAwaySince,
      `The database has been unreachable since ${databaseAwaySince}: writes are refused, and reads show the state of that time.`,
      'Start the database, or restore its network; the service reconnects by itself.',
    );
  if (store.state === 'doubtful')
    yield down(
      'store_not_writable',
      store.since,
      'The store cannot be written: writes are refused, reads work.',
      'Free space on its disk, or give the user of the service write permission; writes resume by themselves.',
    );
  if (store.state === 'lost')
    yield down(
      'store_not_writable',
      store.since,
      "The store's disk failed: writes are refused until a restart; reads work.",
      'Check the disk, then restart the service; its log has the reason.',
    );
  if (store.state === 'damaged')
    yield down(
      'store_damaged',
      store.since,
      'The store holds an event that differs from what was written.',
      'Run "signalbox snapshot verify" to see where, then restore a backup or run "signalbox recover".',
    );
  if (!runs.writable)
    yield down(
      'runs_not_writable',
      runs.since,
      'Runs cannot be written: publishers are answered 503.',
      'Free space on the disk, or give the user of the service write permission; ingest resumes by itself.',
    );
}

function* diskConditions({ freeBytes, minFreeBytes, notWritable }: ConditionFacts): Iterable<Condition> {
  if (freeBytes !== null && minFreeBytes > 0 && freeBytes < minFreeBytes)
    yield down(
      'disk_full',
      null,
      `The disk of the data path has ${megabytes(freeBytes)} MB left; Service:MinFreeMb is ${megabytes(minFreeBytes)}.`,
      'Free space: eject old runs (DELETE /api/runs?olderThan=7d), remove replaced-* folders, or move backups away.',
    );
  if (notWritable.length > 0)
    yield down(
      'data_path_not_writable',
      null,
      `The user of the service cannot write ${notWritable.map((name) => (name === '.' ? 'the data path' : name)).join(', ')}.`,
      'Give the data path and everything in it to that user (chown -R), and mount it for writing.',
    );
}

const megabytes = (bytes: number): string => Math.floor(bytes / (1024 * 1024)).toString();

function* certificateConditions({ certificate, now }: ConditionFacts): Iterable<Condition> {
  if (!certificate) return;
  const { from, until } = certificate;
  const renew =
    'Put the new certificate into the files of Service:TlsCert and Service:TlsKey; it is loaded within 10 s.';
  if (now > until)
    yield down('certificate_expired', iso(until), `The TLS certificate expired on ${day(until)}.`, renew);
  else if (now < from)
    yield down(
      'certificate_not_yet_valid',
      null,
      `The TLS certificate is not valid before ${iso(from)}.`,
      'Set the clock of this machine, or use a certificate that is valid now.',
    );
  else if (until - now < endsSoonMs)
    yield warning(
      'certificate_ends_soon',
      null,
      `The TLS certificate expires on ${day(until)}, in ${Math.floor((until - now) / dayMs)} days.`,
      renew,
    );
}

function* machineConditions(facts: ConditionFacts): Iterable<Condition> {
  const { clockBehindMs, snapshot, notifications, providerAwaySince } = facts;
  if (clockBehindMs > mostBehindMs)
    yield warning(
      'clock_went_back',
      null,
      `The clock of this machine is ${Math.round(clockBehindMs / 1000)} s behind a time it showed earlier: leases last that much longer.`,
      'Synchronise the clock (timedatectl set-ntp true).',
    );
  if (snapshot)
    yield warning(
      'snapshot_unusable',
      snapshot.since,
      `The snapshot was not used at the start: ${snapshot.why}. The whole log was read.`,
      'Remove the file "snapshot" in the data path; the next clean shutdown writes a new one. If the problem comes back, check the disk.',
    );
  if (notifications.failed > 0)
    yield warning(
      'notifications_failing',
      notifications.since,
      `${notifications.receivers.join(', ')}: the last ${notifications.failed === 1 ? 'delivery' : `${notifications.failed} deliveries`} failed.`,
      'Check the address in Service:Webhooks or Service:Notify, and the receiver behind it ("signalbox webhooks list").',
    );
  if (providerAwaySince !== null)
    yield warning(
      'sign_in_provider_away',
      providerAwaySince,
      'The sign-in provider does not answer: nobody can sign in, and current sign-ins last only until they expire.',
      'Run "signalbox doctor --team" on this host; it names the cause.',
    );
}

function* backupConditions({ backup: { lastAt, everyHours, since }, now }: ConditionFacts): Iterable<Condition> {
  if (everyHours === null) return;
  const from = lastAt ?? since;
  if (now - from <= 2 * everyHours * hourMs) return;
  yield warning(
    'backup_too_old',
    iso(from + 2 * everyHours * hourMs),
    lastAt === null ? 'No backup has been verified.' : `The last good backup was made at ${iso(lastAt)}.`,
    'See the log for why the service cannot back itself up, or run "signalbox backup" by hand.',
  );
}
