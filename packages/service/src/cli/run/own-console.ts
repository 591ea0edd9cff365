import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';

export type OwnConsole = { url: string; stop(): Promise<void> };

/** A temporary run console for one command; its data is removed with it. */
export async function startOwnConsole(): Promise<OwnConsole> {
  // Loaded only here, so that other commands do not wait for it.
  const [{ readConfig }, { createLog }, { startConsole }] = await Promise.all([
    import('../../app/config.ts'),
    import('../../app/log.ts'),
    import('../../app/standalone.ts'),
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
