import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { hostNameIn } from '../files/host-file.ts';
import { withoutLogin } from '../kernel/address.ts';
import type { Receiver } from '../receivers/receivers.ts';
import type { OtelSettings } from '../telemetry/ports.ts';
import { BadConfig } from './bad-config.ts';
import { readConfigFiles } from './config-files.ts';
import { gather } from './config-sources.ts';
import { readOtel } from './otel-settings.ts';
import { readWebhooks } from './read-receivers.ts';
import { pathOf, pathsOf } from './setting-kinds.ts';
import { readSettings, type SettingKey, type Settings } from './settings.ts';

export { BadConfig } from './bad-config.ts';

/** Every setting of the table, with dependencies on other settings and on the environment resolved. */
export type Config = Omit<Settings, ResolvedSetting> & {
  receivers: readonly Receiver[];
  /** Where traces and metrics are sent; null if they are not. */
  otel: OtelSettings | null;
  hosts: readonly string[];
  port: number;
  consolePort: number;
  sessionsPaths: readonly string[];
  /** The folder in an environment variable, or the default, which may begin with `~`. */
  folderOf: (folder: EnvironmentFolder) => string;
  hostName: string;
  tls: { cert: string; key: string } | undefined;
  clonesPaths: readonly string[];
  oidc: OidcConfig | undefined;
};

type ResolvedSetting =
  | 'clonesPath'
  | 'hostName'
  | 'sessionsPath'
  | 'tlsCert'
  | 'tlsKey'
  | 'webhooks'
  | 'oidcIssuer'
  | 'oidcClientId'
  | 'oidcClientSecret'
  | 'oidcGroups'
  | 'oidcCheckMinutes';

/** Where people sign in. `clientSecret` is the file that holds it. */
export type OidcConfig = {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  groups: NonNullable<Settings['oidcGroups']>;
  checkMinutes: number;
};

export type EnvironmentFolder = { variable: string; fallback: string; folder?: string };

type Env = Readonly<Record<string, string | undefined>>;
/** `machine` is the system's name for this machine, which may change with the network. */
export type ConfigInputs = { env: Env; args: readonly string[]; cwd: string; home?: string; machine?: string };

/** Warnings are lines to print, `sources` names where each setting came from. */
export type ReadConfig = { config: Config; warnings: string[]; sources: ReadonlyMap<SettingKey, string> };

/** Reads everything once; no later code reads the environment. */
export function readConfig(inputs: ConfigInputs, standalone = false): ReadConfig {
  const home = inputs.home ?? (inputs.env.HOME || homedir());
  const { values, warnings, sources } = gather(readConfigFiles(inputs.cwd, home), inputs.env, inputs.args);
  warnings.push(...addressOptions(inputs.args));
  const { settings, faults } = readSettings(values, { cwd: inputs.cwd, home });
  if (faults.length > 0) throw new BadConfig(faults.join('\n'));
  const config: Config = { ...listenSettingsOf(inputs.env, standalone), ...resolveSettings(settings, inputs, home) };
  refuseOwnAddress(config);
  if (config.orphanSeconds < 15) {
    warnings.push(
      'Service:OrphanSeconds is under 15: publishers send a heartbeat every 10 s, so live runs will be marked orphaned.',
    );
  }
  return { config, warnings, sources };
}

function resolveSettings(
  given: Settings,
  { env, cwd, machine = hostname() }: ConfigInputs,
  home: string,
): Omit<Config, 'hosts' | 'port' | 'consolePort'> {
  const { clonesPath, hostName, sessionsPath, tlsCert, tlsKey, webhooks, ...others } = given;
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcGroups, oidcCheckMinutes, ...settings } = others;
  const places = { cwd, home };
  const { dataPath, store } = settings;
  const sessionsPaths = sessionsPath ?? pathsOf(env.CLAUDE_CONFIG_DIR ?? '', places);
  return {
    ...settings,
    sessionsPaths: sessionsPaths.length > 0 ? sessionsPaths : [join(home, '.claude')],
    folderOf: ({ variable, fallback, folder = [] }) =>
      pathOf([env[variable] || fallback, folder].flat().join('/'), places),
    hostName: hostName ?? (store === 'sqlite' ? undefined : hostNameIn(dataPath)) ?? machine,
    tls: tlsOf(tlsCert, tlsKey),
    gitHubToken: settings.gitHubToken ?? (env.GITHUB_TOKEN || env.GH_TOKEN || undefined),
    clonesPaths: clonesPath,
    oidc: oidcOf(given),
    receivers: readWebhooks({ ...settings, webhooks }),
    otel: readOtel(env),
  };
}

/** A publisher URL that names this coordination port would make the service call itself without end. */
function refuseOwnAddress({ publisherUrl, port }: Config): void {
  if (publisherUrl === undefined || port === 0) return;
  const { hostname: name, port: theirs } = new URL(publisherUrl);
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(name) || name === hostname().toLowerCase();
  if (!isHere || Number(theirs) !== port) return;
  throw new BadConfig(
    `Service:PublisherUrl=${withoutLogin(publisherUrl)} is the coordination port of this service. Use the address of another machine's run console (port 5525 by default), or remove the key.`,
  );
}

/** `PORT=8026,8025` sets both ports at once; the standalone console listens on the second alone. */
function listenSettingsOf(env: Env, standalone: boolean): Pick<Config, 'hosts' | 'port' | 'consolePort'> {
  const [first, second] = (env.PORT ?? '').split(',').map((text) => text.trim());
  const host = env.HOST?.trim();
  const hosts =
    host === undefined || host === '' || host.toLowerCase() === 'localhost'
      ? ['127.0.0.1', '::1']
      : [host.replace(/^\[|\]$/g, '')];
  return {
    hosts,
    port: standalone ? 0 : portOf('PORT', first, 5526),
    consolePort: portOf('CONSOLE_PORT', env.CONSOLE_PORT, portOf('PORT', second, 5525)),
  };
}

function portOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new BadConfig(`${name}=${text} is not a valid port. Use a number from 0 to 65535.`);
  return port;
}

/** Files with the certificate and its key: both, or neither. */
function tlsOf(cert: string | undefined, key: string | undefined): Config['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  const missing = cert === undefined ? 'TlsCert' : 'TlsKey';
  throw new BadConfig(`Service:${missing} is missing. TLS needs both a certificate file and a key file.`);
}

/** Without a group that grants something, nobody could do anything. */
function oidcOf(settings: Settings): OidcConfig | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcGroups, oidcCheckMinutes } = settings;
  if (oidcIssuer === undefined) return undefined;
  if (oidcClientId === undefined || oidcGroups === undefined)
    throw new BadConfig(
      `Service:${oidcClientId === undefined ? 'OidcClientId' : 'OidcGroups'} is missing. Signing in at Service:OidcIssuer needs both the client and the groups.`,
    );
  return {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    groups: oidcGroups,
    checkMinutes: oidcCheckMinutes,
  };
}

/** The listening address comes only from the environment; an option would be a second source that could disagree. */
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
