import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { readConfig } from '../../app/config.ts';
import { createLog } from '../../app/log.ts';
import { type RunningService, startService } from '../../app/service.ts';
import type { Story } from '../../kernel/story.ts';
import { type ConsoleClient, createClient, createConsoleClient, type RestClient } from '../client.ts';
import { endProcess } from './agent-process.ts';
import { forget } from './agent-sessions.ts';
import { eventNow, paced, type TimedEvent } from './played-run.ts';

/** A separate service with its own home, data and processes, for one run of the story. */
export type Stage = {
  service: RunningService;
  client: RestClient;
  console: ConsoleClient;
  root: string;
  home: string;
  children: ChildProcess[];
  /** Publishes a run over a number of seconds of the story. */
  publish(events: readonly TimedEvent[], seconds: number): Promise<void>;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
};

type PlayedRun = { events: readonly TimedEvent[]; elapsedMs: number; sent: number };

/** No network: the story must not cause any outside lookups. */
const nowhere = 'http://127.0.0.1:9';
const settings = {
  Service__LicenceGate: 'off',
  Service__GitHubUrl: nowhere,
  Service__NpmRegistryUrl: nowhere,
  Service__NuGetUrl: `${nowhere}/index.json`,
  // While the story is paused, its publisher must not count as dead.
  Service__OrphanSeconds: '36000',
};

export async function openStage(root: string, ports: string, story: Story): Promise<Stage> {
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  const env = { ...settings, PORT: ports, HOME: home, Service__DataPath: join(root, 'data') };
  const { config } = readConfig({ env, args: [], cwd: home, home });
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const service = await startService(config, { log: createLog(silent), story });
  const console = createConsoleClient(service.console.url, {});
  const children: ChildProcess[] = [];
  const runs: PlayedRun[] = [];
  const send = async (run: PlayedRun, ms: number) => {
    run.elapsedMs += ms;
    const due = run.events.slice(run.sent).filter(({ atMs }) => atMs <= run.elapsedMs);
    if (due.length === 0) return;
    run.sent += due.length;
    const now = new Date().toISOString();
    const events = due.map(({ event }) => JSON.stringify(eventNow(event, now)));
    await console.call('ingest', { batch: `{"events":[${events.join(',')}]}` });
  };
  return {
    service,
    client: createClient(service.coordination.url, {}),
    console,
    root,
    home,
    children,
    async publish(events, seconds) {
      const run = { events: paced(events, seconds), elapsedMs: 0, sent: 0 };
      runs.push(run);
      await send(run, 0);
    },
    async advance(ms) {
      for (const run of runs) await send(run, ms);
    },
    async close() {
      await Promise.all(children.map(endProcess));
      await service.stop();
      forget(root);
    },
  };
}
