import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { routes } from '../browser/routes.ts';
import {
  CallFailed,
  type ConsoleClient,
  consoleUrlOption,
  createClient,
  createConsoleClient,
  exitCodes,
} from './client.ts';
import { type Supervised, supervise } from './run/supervise.ts';
import { writeReports } from './run/write-reports.ts';
import { userFile } from './user-folder.ts';

type Options = {
  node?: string;
  tag?: string;
  suite?: string;
  url?: string | undefined;
  report: string[];
  console?: boolean;
  out: string;
};

/** `signalbox run -- npm test`: runs any command and publishes it as a run. */
export function addRun(program: Command): void {
  program
    .command('run')
    .description('run a test command, publish it as a run, and exit with its exit code')
    .argument('<command...>', 'the command, after --')
    .option('--node <plan/node>', 'the plan node that this run proves')
    .option('--tag <tag>', 'the tag of the run, if it is not for a node')
    .option('--suite <name>', "name of the suite (default: the package's name, otherwise the folder's)")
    .option(
      '--report <file>',
      'a result file that the command writes (repeatable): JUnit, TRX, CTRF, TAP, go test -json, cargo test, RSpec JSON or TeamCity; - reads its output',
      collect,
      [],
    )
    .option(
      '--console',
      'for CI: start a console while the command runs (unless SIGNALBOX_URL is set), and write reports',
    )
    .option('--out <folder>', 'with --console: where signalbox-report.html, -ctrf.json and -junit.xml go', '.')
    .option(...consoleUrlOption)
    .action(async (command: string[], options: Options) => {
      process.exitCode = options.console ? await runWithReports(command, options) : (await run(command, options)).code;
    });
}

const collect = (value: string, before: string[]) => [...before, value];

/**
 * Starts a console if none is set, or the one that is set does not answer or accept the run, and keeps the reports that a
 * pipeline wants.
 */
async function runWithReports(command: readonly string[], options: Options): Promise<number> {
  const named = options.url ?? process.env.SIGNALBOX_URL?.trim();
  let own: OwnConsole | null = null;
  const startOwn = async () => {
    own = await startOwnConsole();
    return createConsoleClient(own.url);
  };
  try {
    const { code, runId, isPublished, client } = named
      ? await run(command, { ...options, url: named }, startOwn)
      : await run(command, { ...options, url: (await startOwn()).url });
    if (isPublished) await writeReports(client, runId, userFile(options.out), process.env, own === null);
    return code;
  } finally {
    await (own as OwnConsole | null)?.stop();
  }
}

async function run(
  command: readonly string[],
  options: Options,
  instead?: () => Promise<ConsoleClient>,
): Promise<Supervised> {
  const client = createConsoleClient(options.url);
  if (options.node !== undefined) await refuseUnknownNode(client, options.node);
  const tag = options.node ?? options.tag ?? process.env.SIGNALBOX_RUN_TAG ?? null;
  return supervise(command, client, { tag, suite: options.suite, reports: options.report, instead });
}

type OwnConsole = { url: string; stop(): Promise<void> };

/** A temporary run console for one command; its data is removed with it. */
async function startOwnConsole(): Promise<OwnConsole> {
  // Loaded only here, so that other commands do not wait for it.
  const [{ readConfig }, { createLog }, { startConsole }] = await Promise.all([
    import('../app/config.ts'),
    import('../app/log.ts'),
    import('../app/standalone.ts'),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-run-'));
  const env = { CONSOLE_PORT: '0', Service__DataPath: join(folder, 'data') };
  const { config } = readConfig({ env, args: [], cwd: folder, home: folder }, true);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const running = await startConsole(config, { log: createLog(silent) });
  return {
    url: running.console.url,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const timeoutMs = 5_000;

/**
 * Refuses an unknown node before anything runs. Asks the coordination service that belongs to the console; if that is
 * not possible (console only, unreachable, a token without `read`), the test run continues.
 */
async function refuseUnknownNode(console: ConsoleClient, ref: string): Promise<void> {
  const [plan = '', node = '', ...more] = ref.split('/');
  if (plan === '' || node === '' || more.length > 0)
    throw new CallFailed(
      `--node ${ref} is not a node reference. Write it as plan/node, such as release/tests.`,
      exitCodes.usage,
    );
  const url = await serviceBeside(console);
  if (url === null) return;
  try {
    await createClient(url).call('node_status', { plan, node }, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (fault) {
    if (fault instanceof CallFailed && fault.status === 404)
      throw new CallFailed(
        `--node ${ref} does not exist, so nothing was run. ${fault.message}`,
        exitCodes.refused,
        404,
      );
  }
}

/** The console knows the port of its service; the host is the console's own. */
async function serviceBeside({ url, send }: ConsoleClient): Promise<string | null> {
  try {
    const request = { method: 'GET', path: routes.me.path, body: undefined, mediaType: '' };
    const response = await send(request, { signal: AbortSignal.timeout(timeoutMs) });
    const me: unknown = response.ok ? JSON.parse(await response.text()) : null;
    const told = typeof me === 'object' && me !== null && 'serviceUrl' in me ? me.serviceUrl : null;
    if (typeof told !== 'string') return null;
    const service = new URL(told);
    service.hostname = new URL(url).hostname;
    return service.origin;
  } catch {
    return null;
  }
}
