import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { openSqlite } from '../files/sqlite-file.ts';
import { BadBackup, storeFile } from './backup-manifest.ts';
import { readConfig } from './config.ts';
import { entriesIn } from './copy-tree.ts';
import { createLog } from './log.ts';
import { restore } from './restore.ts';
import { startService } from './service.ts';

const whats = ['events', 'plans', 'runs'] as const;
export type Drill = { compared: { what: (typeof whats)[number]; backup: number; service: number }[] };

/** The drill sends nothing outside, and no clean-up changes the backup while it is counted. */
const settings = {
  PORT: '0,0',
  Service__RetentionDays: '0',
  Service__RetentionRuns: '0',
  Service__LicenceGate: 'off',
  Service__UpgradeBackup: 'false',
  Service__GitHubUrl: 'http://127.0.0.1:9',
  Service__NpmRegistryUrl: 'http://127.0.0.1:9',
  Service__NuGetUrl: 'http://127.0.0.1:9',
};

/** Restores a backup into a temporary folder, starts a service on it, and compares what it serves with the backup. */
export async function drillBackup(source: string, at: string): Promise<Drill> {
  const home = await mkdtemp(join(tmpdir(), 'signalbox-drill-'));
  try {
    const { config } = readConfig({ env: settings, args: [], cwd: home, home });
    const { manifest } = await restore(config, source, false, at);
    const store = join(config.dataPath, storeFile);
    const files = (await entriesIn(config.dataPath)).filter(({ kind }) => kind === 'file').map(({ path }) => path);
    const backup = {
      events: manifest.events,
      plans: countIn(store, planCount),
      runs: files.filter((path) => /^runs\/[^/]+\.ndjson$/.test(path)).length,
    };
    const running = await startService(config, { log: createLog(nowhere()) });
    try {
      const service = {
        // The service may have added events, such as the end of a lease.
        events: countIn(store, `SELECT count(*) AS count FROM events WHERE sequence <= ${manifest.sequence}`),
        plans: running.coordination.ctx.plans.size,
        runs: (await running.console.runs.list({})).length,
      };
      const compared = whats.map((what) => ({ what, backup: backup[what], service: service[what] }));
      const other = compared.find(({ backup, service }) => backup !== service);
      if (other)
        throw new BadBackup(
          `${source} was restored and started, but the service shows ${other.service} ${other.what} and the backup has ${other.backup}. Use another backup, and keep this one so that the problem can be reported.`,
        );
      return { compared };
    } finally {
      await running.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const planCount = "SELECT count(DISTINCT topic) AS count FROM events WHERE type = 'plan_created'";

function countIn(file: string, sql: string): number {
  if (!existsSync(file)) return 0;
  const database = openSqlite(file, { readOnly: true });
  try {
    return Number(database.prepare(sql).get()?.count);
  } finally {
    database.close();
  }
}

const nowhere = () =>
  new Writable({
    write(_, __, done) {
      done();
    },
  });
