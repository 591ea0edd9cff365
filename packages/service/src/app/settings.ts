import {
  address,
  baseAddress,
  flag,
  groupScopes,
  issuer,
  jsonOrPath,
  type Kind,
  list,
  oneOf,
  type Places,
  path,
  paths,
  secret,
  store,
  text,
  whole,
} from './setting-kinds.ts';

type Setting = {
  kind: Kind<unknown>;
  meaning: string;
  /** The default as a user would write it; `null` if it is unset. */
  default: string | null;
  /** The behaviour without the setting, if the default does not show it. */
  unset?: string;
  /**
   * Whether the signalbox.json of a working directory may set it. The file may come from a repository, so only
   * settings that neither widen access nor move, retain or delete data are allowed.
   */
  workingDirectory: boolean;
};

/** Every setting, once: its type, its reader, the reference, `doctor` and the refusals are derived from this table. */
export const settings = {
  PlansPath: {
    kind: path,
    meaning: 'directory of plan files, imported in seed shape at start and on rescan',
    default: null,
    workingDirectory: true,
  },
  PublisherUrl: {
    kind: baseAddress,
    meaning: 'read runs from the console at this address instead of the one in this process',
    default: null,
    workingDirectory: false,
  },
  PublisherToken: { kind: secret(), meaning: 'token for that console', default: null, workingDirectory: false },
  DataPath: {
    kind: path,
    meaning: 'folder of the database, run archives and event models',
    default: '~/.signalbox',
    workingDirectory: false,
  },
  Store: {
    kind: store,
    meaning: 'where the log is stored; several hosts can share a PostgreSQL database',
    default: 'sqlite',
    workingDirectory: false,
  },
  SessionsPath: {
    kind: paths,
    meaning: 'Claude Code config directories',
    default: null,
    unset: '$CLAUDE_CONFIG_DIR, else ~/.claude',
    workingDirectory: false,
  },
  Licence: {
    kind: text,
    meaning: 'a licence, a path to one, or `none`',
    default: null,
    unset: 'the community licence',
    workingDirectory: false,
  },
  LicenceGate: {
    kind: oneOf('workLoop', 'record', 'off'),
    meaning: 'which calls require a licence',
    default: 'workLoop',
    workingDirectory: false,
  },
  LicencePublicKey: {
    kind: text,
    meaning: 'the key that verifies licences: a JWK or a path to one',
    default: null,
    unset: 'the built-in key',
    workingDirectory: false,
  },
  HostName: {
    kind: text,
    meaning: 'the name of this host on shared boards',
    default: null,
    unset: "the system's host name at the first start with a shared store",
    workingDirectory: false,
  },
  AdvertiseUrl: {
    kind: baseAddress,
    meaning: 'the address where other hosts reach the coordination port',
    default: null,
    unset: 'where it listens',
    workingDirectory: false,
  },
  Token: {
    kind: secret(16),
    meaning:
      "the operator's token, with every scope; once set, every caller needs a token. Required when listening beyond loopback",
    default: null,
    workingDirectory: false,
  },
  TlsCert: {
    kind: path,
    meaning: 'TLS certificate file, reloaded when it changes; together with TlsKey it turns on TLS for both ports',
    default: null,
    workingDirectory: false,
  },
  TlsKey: { kind: path, meaning: 'TLS key file', default: null, workingDirectory: false },
  AuditDays: {
    kind: whole(1, 36_500, 'days'),
    meaning: 'how long the audit (`audit.ndjson` in DataPath) is kept',
    default: '90',
    workingDirectory: false,
  },
  OpenIngest: {
    kind: flag,
    meaning: 'with a token set: allow ingest and the Event Model GET and PUT without a token',
    default: 'false',
    workingDirectory: false,
  },
  OidcIssuer: {
    kind: issuer,
    meaning:
      'the issuer URL of the OpenID Connect provider where people sign in; once set, every caller needs a token or a sign-in',
    default: null,
    unset: 'no sign-in, only tokens',
    workingDirectory: false,
  },
  OidcClientId: {
    kind: text,
    meaning: 'the client id of this service at the provider',
    default: null,
    workingDirectory: false,
  },
  OidcClientSecret: {
    kind: path,
    meaning: 'file with the secret of that client',
    default: null,
    unset: 'a public client',
    workingDirectory: false,
  },
  OidcGroups: {
    kind: groupScopes,
    meaning:
      'what members of each group may do: `eng=work, leads=author+publish, ops=admin`, or a JSON object; `*` is everybody at the provider',
    default: null,
    workingDirectory: false,
  },
  OidcCheckMinutes: {
    kind: whole(1, 1_440, 'minutes'),
    meaning: 'the maximum time a person keeps access after being removed from the provider or a group',
    default: '10',
    workingDirectory: false,
  },
  AllowedHosts: { kind: list, meaning: 'additional allowed Host names', default: '', workingDirectory: false },
  PublicUrl: {
    kind: list,
    meaning:
      'the https:// addresses under which a proxy serves the two ports: their origins are allowed, and logins through them get a `Secure` cookie',
    default: '',
    workingDirectory: false,
  },
  AllowedOrigins: {
    kind: list,
    meaning: 'additional allowed origins of web pages',
    default: '',
    workingDirectory: false,
  },
  GitHubUrl: {
    kind: baseAddress,
    meaning: 'API base of GitHub or a compatible server',
    default: null,
    unset: 'the public API',
    workingDirectory: false,
  },
  GitHubToken: {
    kind: secret(),
    meaning: 'token for it',
    default: null,
    unset: '$GITHUB_TOKEN, else $GH_TOKEN',
    workingDirectory: false,
  },
  GitHubReport: {
    kind: oneOf('off', 'statuses', 'all'),
    meaning:
      'what the service writes to GitHub: commit statuses of runs; with `all` also one comment on the pull request of a node, when its proof changes',
    default: 'off',
    workingDirectory: false,
  },
  GitHubReportToken: {
    kind: secret(),
    meaning: 'the token for writing there; used for nothing else',
    default: null,
    workingDirectory: false,
  },
  GitHubWebhookSecret: {
    kind: secret(),
    meaning: 'secret of the webhook; without it the route does not exist',
    default: null,
    workingDirectory: false,
  },
  NpmRegistryUrl: {
    kind: baseAddress,
    meaning: 'npm feed',
    default: null,
    unset: "the user's npm configuration",
    workingDirectory: false,
  },
  NuGetUrl: {
    kind: baseAddress,
    meaning: 'NuGet v3 service index',
    default: null,
    unset: 'the public feed',
    workingDirectory: false,
  },
  SubmittedHours: {
    kind: whole(1, 8_760, 'hours'),
    meaning:
      'how long a submitted node waits for an automatic proof (suite, commit, package, dependency) before it is ready again',
    default: '4',
    workingDirectory: true,
  },
  MaxAttempts: {
    kind: whole(1, 100, 'attempts'),
    meaning: 'failed attempts after which `claim_next` skips a node until a person resets it; a plan may override it',
    default: '5',
    workingDirectory: true,
  },
  ObserveSeconds: {
    kind: whole(1, 86_400, 'seconds'),
    meaning: 'how often bindings are checked',
    default: '60',
    workingDirectory: true,
  },
  SuiteProof: {
    kind: oneOf('local', 'named'),
    meaning: 'which runs prove nodes: every trusted one (`local`), or those of named tokens only (`named`)',
    default: 'local',
    workingDirectory: false,
  },
  ClonesPath: {
    kind: paths,
    meaning: 'folders that may hold the local clones that prove commits and dependencies',
    default: '~',
    workingDirectory: false,
  },
  OrphanSeconds: {
    kind: whole(1, 31_536_000, 'seconds'),
    meaning: 'silence after which an unfinished run is orphaned',
    default: '60',
    workingDirectory: true,
  },
  RetentionDays: {
    kind: whole(0, 36_500, 'days'),
    meaning: 'age after which archives are ejected, then deleted',
    default: '14',
    workingDirectory: false,
  },
  MaxRuns: {
    kind: whole(1, 1_000_000, 'runs'),
    meaning: 'maximum runs on the board, and maximum live runs; the oldest ended runs are ejected first',
    default: '20000',
    workingDirectory: false,
  },
  AttachmentsMb: {
    kind: whole(0, 1_000_000, 'megabytes'),
    meaning: 'attachments stored per run; beyond that only their names are kept',
    default: '50',
    workingDirectory: false,
  },
  RunMb: {
    kind: whole(1, 1_000_000, 'megabytes'),
    meaning: 'maximum archive size of a run; further events are rejected, except the one that ends the run',
    default: '512',
    workingDirectory: false,
  },
  PublisherMbPerHour: {
    kind: whole(1, 1_000_000, 'megabytes'),
    meaning:
      'maximum archive size per hour and publisher (by its named token, otherwise by its address); further events are rejected, except those that end a run',
    default: '4096',
    workingDirectory: false,
  },
  RetentionRuns: {
    kind: whole(0, 1_000_000, 'runs'),
    meaning: 'how many ended runs stay on the board, per repository and suite',
    default: '50',
    workingDirectory: false,
  },
  ArchiveDays: {
    kind: whole(0, 36_500, 'days'),
    meaning: 'age after which the next start moves the log of an archived plan into the archive',
    default: '0',
    workingDirectory: false,
  },
  BackupPath: {
    kind: path,
    meaning: 'folder where the service backs itself up; each backup is verified',
    default: null,
    workingDirectory: false,
  },
  BackupEvery: {
    kind: whole(1, 8_760, 'hours'),
    meaning: 'time between backups; the last good one counts as too old after twice this time',
    default: '24',
    workingDirectory: false,
  },
  BackupKeep: {
    kind: whole(1, 1_000, 'backups'),
    meaning: 'how many of these backups are kept; the oldest are deleted after a new one is verified',
    default: '7',
    workingDirectory: false,
  },
  UpgradeBackup: {
    kind: flag,
    meaning:
      'the first start of a new version makes a backup: in BackupPath, or in `before-upgrade` in DataPath, which keeps only the newest',
    default: 'true',
    workingDirectory: false,
  },
  MinFreeMb: {
    kind: whole(0, 1_000_000, 'megabytes'),
    meaning: 'free space on the disk of DataPath below which the service is not ready',
    default: '100',
    workingDirectory: false,
  },
  Notify: { kind: address, meaning: 'webhook address for notifications', default: null, workingDirectory: false },
  Webhooks: {
    kind: jsonOrPath,
    meaning: 'receivers of events: `[{ url, name, events, plans, secret, format }]` (docs/guides/webhooks.md)',
    default: null,
    workingDirectory: false,
  },
  NotifySecret: {
    kind: secret(),
    meaning: 'secret that signs each notification',
    default: null,
    workingDirectory: false,
  },
} as const satisfies Record<string, Setting>;

type Table = typeof settings;
export type SettingKey = keyof Table;

type ValueOf<Row extends Setting> =
  | NonNullable<ReturnType<Row['kind']['read']>>
  | (Row['default'] extends string ? never : undefined);

/** `RetentionDays` is read as `retentionDays`. */
export type Settings = { [Key in SettingKey as Uncapitalize<Key>]: ValueOf<Table[Key]> };

const isSettingKey = (text: string): text is SettingKey => Object.hasOwn(settings, text);
export const settingKeys = Object.keys(settings).filter(isSettingKey);

/** The table without the type of each row. */
export const settingOf = (key: SettingKey): Setting => settings[key];

/** Every setting with its value, and a sentence for each invalid one. */
export function readSettings(
  given: Readonly<Partial<Record<SettingKey, string>>>,
  places: Places,
): { settings: Settings; faults: string[] } {
  const faults: string[] = [];
  const values = settingKeys.map((key) => {
    const { kind, default: otherwise } = settingOf(key);
    const written = given[key];
    const read = written === undefined ? undefined : kind.read(written, places);
    if (written !== undefined && read === undefined) faults.push(refusalOf(key, written));
    return [
      key.charAt(0).toLowerCase() + key.slice(1),
      read ?? (otherwise === null ? undefined : kind.read(otherwise, places)),
    ];
  });
  return { settings: Object.fromEntries(values) as Settings, faults };
}

function refusalOf(key: SettingKey, written: string): string {
  const { kind } = settingOf(key);
  const must = `Service:${key} must be ${kind.takes.replaceAll('`', '')}`;
  return kind.secret ? `${must}.` : `${must}; it is ${written}`;
}
