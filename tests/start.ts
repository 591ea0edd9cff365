import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../packages/service/src/app/config.ts';
import { createLog } from '../packages/service/src/app/log.ts';
import { type RunningService, startService } from '../packages/service/src/app/service.ts';
import type { Clock } from '../packages/service/src/kernel/clock.ts';
import { createSettableClock, type SettableClock } from '../testing/settable-clock.ts';
import { noteSettings } from './exercised.ts';

export type Started = AsyncDisposable & {
  url: string;
  consoleUrl: string;
  home: string;
  dataPath: string;
  clock: SettableClock;
  running: RunningService;
  /** Everything the service logged so far. */
  logged: () => string;
  /** Calls 5526 and reads the answer. */
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** Calls 5525 and reads the answer. */
  console: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** Stops the process's parts without removing its home, so that another can start on it. */
  stop: () => Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
export type Answer = { status: number; headers: Headers; body: any; text: string };

export type StartOptions = { home?: string; settings?: Record<string, string>; clock?: SettableClock | Clock };

/** The real service on free ports with its own home and a clock that is stopped unless specified otherwise. */
export async function start({
  home: given,
  settings = {},
  clock = createSettableClock(),
}: StartOptions = {}): Promise<Started> {
  const home = given ?? (await realpath(await mkdtemp(join(tmpdir(), 'signalbox-'))));
  const env = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key.includes('_') ? key : `Service__${key}`, value]),
  );
  noteSettings(Object.keys(settings));
  const { config } = readConfig({ env: { PORT: '0,0', ...env, HOME: home }, args: [], cwd: home, home });
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  const running = await startService(config, { clock, log: createLog(stream) });
  if (settings.SessionsPath !== undefined) await firstLookAtSessions(running);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= running.stop());
  return {
    url: running.coordination.url,
    consoleUrl: running.console.url,
    home,
    dataPath: config.dataPath,
    clock: clock as SettableClock,
    running,
    logged: () => text,
    call: caller(running.coordination.url),
    console: caller(running.console.url),
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      if (given === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** The service waits at most 3 s for it, and a busy machine needs longer. A folder that never answers must not block a test. */
async function firstLookAtSessions({ coordination: { ctx } }: RunningService): Promise<void> {
  for (let turn = 0; turn < 1_200 && ctx.agents.all().observedAt === null; turn++) await pause(50);
}

export const caller =
  (url: string) =>
  async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
  };
