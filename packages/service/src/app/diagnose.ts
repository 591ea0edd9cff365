import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { createClaudeRegistry } from '../coordination/agents/io/claude-sessions.ts';
import { readRunList } from '../coordination/runs/io/runs-over-http.ts';
import { readyRoute } from '../edge/extra-routes.ts';
import { withoutLogin, withoutPasswords } from '../kernel/address.ts';
import { dayMs, iso } from '../kernel/clock.ts';
import { isRefusal } from '../kernel/outcome.ts';
import { platform } from '../platform/platform.ts';
import { checkSqlite } from '../store/sqlite/check-sqlite.ts';
import { askOwn, pingOwn } from './ask-own.ts';
import { storeFile } from './backup-manifest.ts';
import { ConditionWatch } from './condition-watch.ts';
import { BadConfig, type Config, type ConfigInputs, type ReadConfig, readConfig } from './config.ts';
import { diagnoseTeam } from './diagnose-team.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { readLastBackup } from './last-backup.ts';
import { openLicence } from './open-licence.ts';
import { probeStore } from './open-store.ts';
import { irregularFiles } from './prepare-data-path.ts';
import { readStoreVersion } from './store-version.ts';
import { systemClock } from './system-clock.ts';

/** Checks everything the service needs, changes nothing, and lists what to do about each problem. */
export async function diagnose(inputs: ConfigInputs, team = false): Promise<Finding[]> {
  const findings = await look(inputs, team);
  return findings.map((finding) => ({ ...finding, found: withoutPasswords(finding.found) }));
}

async function look(inputs: ConfigInputs, team: boolean): Promise<Finding[]> {
  const read = readOrFaults(inputs);
  if (Array.isArray(read))
    return read.map((fault) => wrong('settings', fault, 'Correct it; the service does not start with this value.'));
  const { config } = read;
  if (team) return [...(await diagnoseTeam(config, true)), ...(await providerOf(config))];
  const clocks = config.store === 'sqlite' ? [] : await diagnoseTeam(config, false);
  const findings = await Promise.all([
    checkNode(process.versions.node),
    ...checkSettings(read),
    checkPort(config, 'coordination port', config.port, 'PORT'),
    checkPort(config, 'console port', config.consolePort, 'CONSOLE_PORT'),
    checkDataPath(config.dataPath),
    checkStore(config),
    checkBackup(config),
    ...config.sessionsPaths.map(checkSessions),
    checkPlans(config.plansPath),
    ...(config.publisherUrl === undefined ? [] : [checkConsole(config.publisherUrl, config.publisherToken)]),
    checkLicence(config),
    checkFeed('GitHub', config.gitHubUrl ?? 'https://api.github.com', 'Service:GitHubUrl'),
    checkFeed('npm registry', config.npmRegistryUrl, 'Service:NpmRegistryUrl'),
  ]);
  return [...findings, ...clocks, ...(await checkCertificate(config)), ...(await checkConditions(config))];
}

/** Loaded where it is used, as in the service. */
async function providerOf(config: Config): Promise<Finding[]> {
  const { oidc, port } = config;
  if (oidc === undefined) return [];
  const { diagnoseProvider } = await import('./diagnose-provider.ts');
  // The service may trust other certificate authorities than this shell.
  const ofService = (await checkConditions(config)).filter(({ about }) => about === 'sign in provider away');
  return [...(await diagnoseProvider(oidc, `http://localhost:${port}`)), ...ofService];
}

function readOrFaults(inputs: ConfigInputs): ReadConfig | string[] {
  try {
    return readConfig(inputs);
  } catch (fault) {
    if (fault instanceof BadConfig) return fault.message.split('\n');
    throw fault;
  }
}

/** Lists where each setting came from, never its value. */
function checkSettings({ sources, warnings }: ReadConfig): Finding[] {
  const set = [...sources].map(([key, from]) => `${key} (${from})`);
  return [
    ok('settings', set.length === 0 ? 'all defaults' : set.join(', ')),
    ...warnings.map((found) => warning('settings', found, 'See docs/reference/config.md for every setting.')),
  ];
}

async function checkNode(version: string): Promise<Finding> {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = major > 22 || (major === 22 && minor >= 13);
  return fits ? ok('Node', version) : wrong('Node', version, 'Install Node 22.13 or newer.');
}

async function checkPort(config: Config, about: string, port: number, variable: string): Promise<Finding> {
  const running = await pingOwn(config, port);
  if (running) return ok(about, `${port}: Signalbox ${running.version}${running.tls ? ' (TLS)' : ''} runs here`);
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
  if (free) return ok(about, `${port} is free`);
  return wrong(
    about,
    `${port} is in use, and the program there is not Signalbox`,
    `Stop the program that uses it, or choose another port with ${variable}.`,
  );
}

const ownReadiness = z.object({
  conditions: z.array(
    z.object({ code: z.string(), severity: z.enum(['down', 'warning']), detail: z.string(), next: z.string() }),
  ),
});

/** The conditions that the running service reports; without a service, those that can be checked here. */
async function checkConditions(config: Config): Promise<Finding[]> {
  const answer = await askOwn(config, config.port, readyRoute.path);
  const conditions =
    ownReadiness.safeParse(answer?.body).data?.conditions ?? new ConditionWatch(config, systemClock).conditions();
  return conditions.map(({ code, severity, detail, next }) => ({
    about: code.replaceAll('_', ' '),
    state: severity === 'down' ? 'wrong' : 'warning',
    found: detail,
    next,
  }));
}

async function checkBackup({ dataPath }: Config): Promise<Finding> {
  const last = readLastBackup(dataPath);
  if (last) return ok('backup', `${last.at}, ${last.target}`);
  const isEmpty = !existsSync(join(dataPath, storeFile));
  return isEmpty
    ? ok('backup', 'nothing to back up yet')
    : warning('backup', 'none yet', 'Set Service:BackupPath, or run "signalbox backup FILE.tar.gz".');
}

async function checkCertificate(config: Config): Promise<Finding[]> {
  const { certificate, now } = new ConditionWatch(config, systemClock).facts();
  if (config.tls === undefined || !certificate) return [];
  const days = Math.floor((certificate.until - now) / dayMs);
  return days < 0 ? [] : [ok('certificate', `valid for ${days} days, until ${iso(certificate.until).slice(0, 10)}`)];
}

async function checkDataPath(path: string): Promise<Finding> {
  const here = nearestFolder(path);
  try {
    accessSync(here, constants.W_OK | constants.X_OK);
    if (!statSync(here).isDirectory()) throw new Error('it is not a folder');
    const [irregular] = irregularFiles(path);
    if (irregular !== undefined)
      return wrong('data path', irregular, 'Move it away; the service does not start with it.');
    return ok('data path', existsSync(path) ? path : `${path} (will be created)`);
  } catch {
    return wrong(
      'data path',
      `${here} cannot be written`,
      'Give this user write permission, or choose another folder with Service:DataPath.',
    );
  }
}

function nearestFolder(path: string): string {
  const parent = join(path, '..');
  return existsSync(path) || parent === path ? path : nearestFolder(parent);
}

async function checkStore(config: Config): Promise<Finding> {
  const name = config.store === 'sqlite' ? 'sqlite' : new URL(config.store).host;
  const trouble = (await probeStore(config)) ?? damageIn(config);
  if (!trouble) return ok('store', `${name}${await versionText(config)}`);
  const next =
    config.store === 'sqlite'
      ? trouble.includes('newer')
        ? 'Update Signalbox, or point Service:DataPath at another folder.'
        : 'Restore a backup, or stop the service and run "signalbox recover" to keep every event that can be read.'
      : 'Start the database, or correct the address in Service:Store.';
  return wrong('store', `${name}: ${trouble}`, next);
}

/** Compares every event with its checksum, unlike a start from a snapshot. */
function damageIn({ store, dataPath }: Config): string | undefined {
  const file = join(dataPath, storeFile);
  return store === 'sqlite' && existsSync(file) ? (checkSqlite(file, 'live').damage ?? undefined) : undefined;
}

async function versionText(config: Config): Promise<string> {
  const { found, newest } = await readStoreVersion(config).catch(() => ({ found: null, newest: 0 }));
  return found !== null && found < newest ? `, version ${found}: the next start brings it to ${newest}` : '';
}

async function checkSessions(path: string): Promise<Finding> {
  if (!existsSync(path))
    return warning(
      'sessions',
      `${path} does not exist`,
      'Start Claude Code once, or set Service:SessionsPath to its folder.',
    );
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    const { entries } = await createClaudeRegistry(join(path, 'sessions'), platform.processes).scan();
    if (!entries.some(({ liveness }) => liveness === 'foreign')) return ok('sessions', path);
    return warning(
      'sessions',
      `${path} is shared with a container or another system, whose processes cannot be seen from here`,
      'Run "signalbox observe" there; see docs/guides/elsewhere.md.',
    );
  } catch {
    return wrong(
      'sessions',
      `${path} cannot be read`,
      'Give this user read permission, or set Service:SessionsPath to another folder.',
    );
  }
}

async function checkPlans(path: string | undefined): Promise<Finding> {
  if (path === undefined) return ok('plan files', 'none configured');
  return existsSync(path)
    ? ok('plan files', path)
    : wrong('plan files', `${path} does not exist`, 'Create the folder, or correct Service:PlansPath.');
}

async function checkConsole(url: string, token: string | undefined): Promise<Finding> {
  const about = 'run console';
  const next =
    'Nodes keep their last evidence. Check that the console is running, and check Service:PublisherUrl and Service:PublisherToken.';
  const runs = await readRunList({ url, token });
  if (isRefusal(runs)) return wrong(about, `${withoutLogin(url)}: ${runs.detail}`, next);
  return ok(about, `${withoutLogin(url)}: ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`);
}

async function checkLicence({ licence, licencePublicKey, licenceGate }: Config): Promise<Finding> {
  const opened = await openLicence(licence, licencePublicKey, systemClock).catch((fault: Error) => fault);
  if (opened instanceof Error) return wrong('licence', 'cannot be checked', opened.message);
  const { state, edition, expiresAt } = opened();
  if (state === 'valid')
    return ok('licence', `${edition}${expiresAt ? `, until ${expiresAt.slice(0, 10)}` : ''}, gate ${licenceGate}`);
  return wrong(
    'licence',
    `${state}${expiresAt ? ` since ${expiresAt.slice(0, 10)}` : ''}`,
    'Set Service:Licence to a valid licence, or remove that key to use the community licence.',
  );
}

async function checkFeed(about: string, url: string | undefined, key: string): Promise<Finding> {
  if (url === undefined) return ok(about, "from the user's npm configuration");
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(3_000) });
    return ok(about, url);
  } catch {
    return warning(
      about,
      `${url} cannot be reached`,
      `Nodes that depend on it stay "not observed yet". Check the network, or set ${key}.`,
    );
  }
}
