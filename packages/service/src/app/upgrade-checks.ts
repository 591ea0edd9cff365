import { existsSync, readdirSync, statSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { readPlainFile } from '../files/plain-file.ts';
import { listeningPorts } from '../platform/listening-ports.ts';
import { type Owner, ownerOf } from '../store/data-path.ts';
import { checkSqlite } from '../store/sqlite/check-sqlite.ts';
import { pingOwn } from './ask-own.ts';
import { storeFile } from './backup-manifest.ts';
import type { Config } from './config.ts';
import { entriesIn } from './copy-tree.ts';
import { irregularFiles } from './prepare-data-path.ts';

/** `todo`: a person must act now. `read`: cannot be checked on this machine. */
export type UpgradeCheck = { about: string; state: 'ok' | 'todo' | 'read'; found: string };

export type RunningVersion = { version: string; pid: number; urls: readonly string[] };

/** The service that uses the data path, found by its files there; releases before 0.3 wrote only their process id. */
export async function findRunning(config: Config): Promise<RunningVersion | null> {
  const owner = ownerOf(config.dataPath);
  const ports = owner && isAlive(owner) ? portsOf(owner) : [config.port, config.consolePort];
  for (const port of ports) {
    const found = await pingOwn(config, port);
    if (found)
      return { version: found.version, pid: owner?.pid ?? 0, urls: owner?.urls ?? ports.map((one) => `port ${one}`) };
  }
  return null;
}

const portsOf = ({ pid, urls }: Owner): number[] =>
  urls ? urls.map((url) => Number(new URL(url).port)) : listeningPorts(pid);

function isAlive({ pid }: Owner): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Every line of "What you must do" since 0.1.0 that can be checked here. */
export async function checkUpgrade(config: Config, unit: string | null): Promise<UpgradeCheck[]> {
  return [
    ...(await checkData(config)),
    // Each of these would already have failed while the settings were read.
    {
      about: 'settings',
      state: 'ok',
      found: 'numbers within bounds, token long enough, no security settings in signalbox.json of this folder',
    },
    checkRunNames(config.dataPath),
    checkUnit(unit),
    {
      about: 'suite proof',
      state: 'ok',
      found:
        config.suiteProof === 'local'
          ? 'every trusted run proves (Service:SuiteProof=local)'
          : 'runs of named tokens prove',
    },
    {
      about: 'your own calls',
      state: 'read',
      found:
        'pass who signs to sign_off_node (by); the holder cannot sign; read lastClaim of a node instead of previous of a claim; ' +
        'DELETE /api/runs/{id}?withdraw=true reopens nodes, a plain DELETE does not; every verdict has a known outcome; no binding or repository is named . or ..',
    },
    {
      about: 'your clients',
      state: 'read',
      found:
        'upgrade signalbox-client together with the service; its worker no longer has attempts, and its lease is 2 minutes',
    },
    {
      about: 'your tests',
      state: 'read',
      found:
        'tests that call Signalbox themselves need a token of their own: "signalbox run" gives them one for their run alone',
    },
    {
      about: 'your scripts',
      state: 'read',
      found:
        '"signalbox start" starts the service; "signalbox demo --into URL" loads the example; "signalbox console" listens on CONSOLE_PORT, the second number of PORT, or 5525',
    },
  ];
}

async function checkData({ dataPath, store, backupPath }: Config): Promise<UpgradeCheck[]> {
  if (!existsSync(dataPath)) return [];
  const [irregular] = irregularFiles(dataPath);
  if (irregular !== undefined) return [{ about: 'files', state: 'todo', found: irregular }];
  const file = join(dataPath, storeFile);
  const damage = store === 'sqlite' && existsSync(file) ? checkSqlite(file, 'live').damage : null;
  const sizes = (await entriesIn(dataPath)).filter(
    ({ kind, path }) => kind === 'file' && !/^(replaced-|before-upgrade)/.test(path),
  );
  let bytes = 0;
  for (const { path } of sizes)
    bytes += await stat(join(dataPath, path)).then(
      ({ size }) => size,
      () => 0,
    );
  const { bavail, bsize } = await statfs(backupPath !== undefined && existsSync(backupPath) ? backupPath : dataPath);
  const free = bavail * bsize;
  const megabytes = (count: number) => `${Math.ceil(count / 1e6).toLocaleString('en')} MB`;
  return [
    damage === null
      ? { about: 'events', state: 'ok', found: 'each matches its checksum' }
      : {
          about: 'events',
          state: 'todo',
          found: `the store is damaged: ${damage}. Restore a backup or run "signalbox recover" first`,
        },
    free > 2 * bytes
      ? { about: 'free space', state: 'ok', found: `${megabytes(free)} for a backup of ${megabytes(bytes)}` }
      : {
          about: 'free space',
          state: 'todo',
          found: `${megabytes(free)}, and a backup of ${megabytes(bytes)} needs twice as much while it is made`,
        },
  ];
}

function checkRunNames(dataPath: string): UpgradeCheck {
  const folder = join(dataPath, 'runs');
  const reserved = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).filter((name) => /^(con|prn|aux|nul|com\d|lpt\d)\.ndjson$|\.\.ndjson$/i.test(name))
    : [];
  return reserved.length === 0
    ? { about: 'run ids', state: 'ok', found: 'none reserved by Windows' }
    : {
        about: 'run ids',
        state: 'todo',
        found: `${reserved.join(', ')}: such ids are now refused; give their suites other ids`,
      };
}

/** The unit that `service install`, or the guide of 0.1.0, created. */
function checkUnit(path: string | null): UpgradeCheck {
  if (path === null || !existsSync(path))
    return { about: 'unit', state: 'ok', found: 'not installed as a service of this user' };
  const text = readPlainFile(path, 1024 * 1024).toString('utf8');
  const startsIt =
    text.includes('<string>start</string>') ||
    text.split('\n').some((line) => line.startsWith('ExecStart=') && /\bstart\b/.test(line.slice('ExecStart='.length)));
  return startsIt
    ? { about: 'unit', state: 'ok', found: path }
    : {
        about: 'unit',
        state: 'todo',
        found: `${path} lacks the command "start": run "signalbox service install", which keeps its settings`,
      };
}
