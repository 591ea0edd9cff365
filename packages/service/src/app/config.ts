import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type ToolName, toolHomes } from '../coordination/agents/tools/tools.ts';
import { hostNameIn } from '../files/host-file.ts';
import { withoutLogin } from '../kernel/address.ts';
import { trimEndOf } from '../kernel/trim.ts';
import { BadConfig } from './bad-config.ts';
import { readConfigFiles } from './config-files.ts';
import { gather, type RawConfig } from './config-sources.ts';

export { BadConfig } from './bad-config.ts';

export type Config = {
  hosts: readonly string[];
  port: number;
  consolePort: number;
  dataPath: string;
  store: string;
  plansPath: string | undefined;
  publisherUrl: string | undefined;
  publisherToken: string | undefined;
  sessionsPaths: readonly string[];
  /** Where each agent tool keeps its sessions; `sessionsPaths` for Claude Code. */
  toolHomes: ReadonlyMap<ToolName, string>;
  licence: string | undefined;
  licenceGate: 'workLoop' | 'record' | 'off';
  licencePublicKey: string | undefined;
  hostName: string;
  advertiseUrl: string | undefined;
  token: string | undefined;
  tls: { cert: string; key: string } | undefined;
  auditDays: number;
  openIngest: boolean;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  gitHubUrl: string | undefined;
  gitHubToken: string | undefined;
  gitHubWebhookSecret: string | undefined;
  npmRegistryUrl: string | undefined;
  nuGetUrl: string | undefined;
  observeSeconds: number;
  suiteProof: 'local' | 'named';
  clonesPaths: readonly string[];
  orphanSeconds: number;
  retentionDays: number;
  archiveDays: number;
  retentionRuns: number;
  maxRuns: number;
  attachmentsMb: number;
  notify: string | undefined;
  notifySecret: string | undefined;
};

type Env = Readonly<Record<string, string | undefined>>;
/** `machine` is what the system calls this machine, which may follow the network. */
export type ConfigInputs = { env: Env; args: readonly string[]; cwd: string; home?: string; machine?: string };

/** Reads everything once. Warnings are lines to print; nothing later looks at the environment again. */
export function readConfig(inputs: ConfigInputs, standalone = false): { config: Config; warnings: string[] } {
  const home = inputs.home ?? (inputs.env.HOME || homedir());
  const { values, warnings } = gather(readConfigFiles(inputs.cwd, home), inputs.env, inputs.args);
  warnings.push(...addressOptions(inputs.args));
  const config: Config = { ...listenSettingsOf(inputs.env, standalone), ...settingsOf(values, inputs, home) };
  refuseOwnAddress(config);
  if (config.orphanSeconds < 15) {
    warnings.push(
      'Service:OrphanSeconds is under 15: publishers beat every 10 s, so live runs will be taken for orphans.',
    );
  }
  return { config, warnings };
}

function settingsOf(
  values: RawConfig,
  { env, cwd, machine = hostname() }: ConfigInputs,
  home: string,
): Omit<Config, 'hosts' | 'port' | 'consolePort'> {
  const path = (text: string) => resolve(cwd, text.replace(/^~(?=$|[\\/])/, home));
  const list = (text: string | undefined) =>
    (text ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const sessions = list(values.SessionsPath ?? env.CLAUDE_CONFIG_DIR);
  const [dataPath, store] = [path(values.DataPath ?? '~/.signalbox'), storeOf(values.Store)];
  return {
    dataPath,
    store,
    plansPath: values.PlansPath === undefined ? undefined : path(values.PlansPath),
    publisherUrl: urlOf('PublisherUrl', values.PublisherUrl),
    publisherToken: values.PublisherToken,
    sessionsPaths: sessions.length > 0 ? sessions.map(path) : [join(home, '.claude')],
    toolHomes: toolHomes(env, path),
    licence: values.Licence,
    licenceGate: oneOf('LicenceGate', values.LicenceGate, ['workLoop', 'record', 'off']),
    licencePublicKey: values.LicencePublicKey,
    hostName: values.HostName ?? (store === 'sqlite' ? undefined : hostNameIn(dataPath)) ?? machine,
    advertiseUrl: urlOf('AdvertiseUrl', values.AdvertiseUrl),
    token: tokenOf(values.Token),
    tls: tlsOf(values, path),
    auditDays: numberOf('AuditDays', values.AuditDays, 90, 1),
    openIngest: oneOf('OpenIngest', values.OpenIngest?.toLowerCase(), ['false', 'true']) === 'true',
    allowedHosts: list(values.AllowedHosts),
    allowedOrigins: list(values.AllowedOrigins),
    gitHubUrl: urlOf('GitHubUrl', values.GitHubUrl),
    gitHubToken: values.GitHubToken ?? (env.GITHUB_TOKEN || env.GH_TOKEN || undefined),
    gitHubWebhookSecret: values.GitHubWebhookSecret,
    npmRegistryUrl: urlOf('NpmRegistryUrl', values.NpmRegistryUrl),
    nuGetUrl: urlOf('NuGetUrl', values.NuGetUrl),
    observeSeconds: numberOf('ObserveSeconds', values.ObserveSeconds, 60, 0.001),
    suiteProof: oneOf('SuiteProof', values.SuiteProof, ['local', 'named']),
    clonesPaths: values.ClonesPath === undefined ? [home] : list(values.ClonesPath).map(path),
    orphanSeconds: numberOf('OrphanSeconds', values.OrphanSeconds, 60, 0.001),
    retentionDays: numberOf('RetentionDays', values.RetentionDays, 14),
    archiveDays: numberOf('ArchiveDays', values.ArchiveDays, 0),
    retentionRuns: numberOf('RetentionRuns', values.RetentionRuns, 50),
    maxRuns: numberOf('MaxRuns', values.MaxRuns, 20_000, 1),
    attachmentsMb: numberOf('AttachmentsMb', values.AttachmentsMb, 50),
    notify: addressOf('Notify', values.Notify),
    notifySecret: values.NotifySecret,
  };
}

/** A publisher URL that names this coordination port would make the service call itself without end. */
function refuseOwnAddress({ publisherUrl, port }: Config): void {
  if (publisherUrl === undefined || port === 0) return;
  const { hostname: name, port: theirs } = new URL(publisherUrl);
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(name) || name === hostname().toLowerCase();
  if (!isHere || Number(theirs) !== port) return;
  throw new BadConfig(
    `Service:PublisherUrl=${withoutLogin(publisherUrl)} is the coordination port of this very service. Name the console of another machine, by default its port 5525, or leave the key out.`,
  );
}

/** `PORT=8026,8025` sets both ports at once; the standalone console has only one. */
function listenSettingsOf(env: Env, standalone: boolean): Pick<Config, 'hosts' | 'port' | 'consolePort'> {
  const [first, second] = (env.PORT ?? '').split(',').map((text) => text.trim());
  const host = env.HOST?.trim();
  const hosts =
    host === undefined || host === '' || host.toLowerCase() === 'localhost'
      ? ['127.0.0.1', '::1']
      : [host.replace(/^\[|\]$/g, '')];
  if (standalone)
    return { hosts, port: 0, consolePort: portOf('PORT', first, portOf('CONSOLE_PORT', env.CONSOLE_PORT, 5525)) };
  return {
    hosts,
    port: portOf('PORT', first, 5526),
    consolePort: portOf('CONSOLE_PORT', env.CONSOLE_PORT, portOf('PORT', second, 5525)),
  };
}

function portOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new BadConfig(`${name}=${text} is no port. Use a number from 0 to 65535.`);
  return port;
}

function numberOf(key: string, text: string | undefined, otherwise: number, least = Number.NEGATIVE_INFINITY): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < least)
    throw new BadConfig(`Service:${key}=${text} is not a number that makes sense here.`);
  return value;
}

function oneOf<const Word extends string>(
  key: string,
  text: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  if (text === undefined) return words[0];
  const word = words.find((known) => known.toLowerCase() === text.toLowerCase());
  if (word === undefined) throw new BadConfig(`Service:${key}=${text} is unknown. Use ${words.join(', ')}.`);
  return word;
}

/** An address that paths are put behind. */
function urlOf(key: string, text: string | undefined): string | undefined {
  const address = addressOf(key, text);
  return address === undefined ? undefined : trimEndOf(address, '/');
}

/** An address that is called as it stands. */
function addressOf(key: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new BadConfig(`Service:${key} is not an http address. Write it like http://host:5525.`);
  return text;
}

/** Shorter ones can be guessed. */
function tokenOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length >= 16) return text;
  throw new BadConfig(
    'Service:Token is too short: it takes at least 16 characters. Make one with: openssl rand -base64 32',
  );
}

/** Files with the certificate and its key: both, or neither. */
function tlsOf({ TlsCert, TlsKey }: RawConfig, path: (text: string) => string): Config['tls'] {
  if (TlsCert === undefined && TlsKey === undefined) return undefined;
  if (TlsCert !== undefined && TlsKey !== undefined) return { cert: path(TlsCert), key: path(TlsKey) };
  const missing = TlsCert === undefined ? 'TlsCert' : 'TlsKey';
  throw new BadConfig(`Service:${missing} is missing. TLS takes the file of the certificate and that of its key.`);
}

function storeOf(text = 'sqlite'): string {
  if (text.toLowerCase() === 'sqlite') return 'sqlite';
  if (!/^postgres(ql)?:\/\//.test(text)) throw new BadConfig('Service:Store must be sqlite or a postgres:// address.');
  // It may hold a password, so it is not told.
  if (URL.canParse(text)) return text;
  throw new BadConfig(
    'Service:Store is a postgres:// address that cannot be read. Write / as %2F, ? as %3F, # as %23 and @ as %40 in its password.',
  );
}

/** The listening address is the environment's alone; an option for it would be one more thing to disagree with. */
function addressOptions(args: readonly string[]): string[] {
  const variable: Record<string, string> = {
    port: 'PORT',
    'console-port': 'CONSOLE_PORT',
    host: 'HOST',
    urls: 'HOST and PORT',
  };
  return args.flatMap((arg) => {
    const name = /^--([a-z-]+)(=|$)/i.exec(arg)?.[1]?.toLowerCase() ?? '';
    return variable[name] ? [`--${name} has no effect: set ${variable[name]} in the environment instead.`] : [];
  });
}
