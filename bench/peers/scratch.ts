import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The alternatives, at the measured versions. Installed outside the project and kept there. */
const versions: Record<string, string> = {
  bullmq: '6.7.0',
  ioredis: '6.0.0',
  pg: '8.23.1',
  'pg-boss': '10.4.2',
  'graphile-worker': '0.18.0',
  etcd3: '1.1.2',
  chokidar: '6.0.0',
  'task-master-ai': '0.43.1',
  'backlog.md': '1.52.0',
};

export const scratch = join(tmpdir(), 'signalbox-peers');
const require = createRequire(join(scratch, 'package.json'));

/** Installs missing packages; returns why one cannot be installed. */
export function install(...names: string[]): string | undefined {
  mkdirSync(scratch, { recursive: true });
  if (!existsSync(join(scratch, 'package.json'))) writeFileSync(join(scratch, 'package.json'), '{"private":true}\n');
  const missing = names.filter((name) => !existsSync(join(scratch, 'node_modules', name)));
  if (missing.length === 0) return undefined;
  process.stderr.write(`installing ${missing.join(', ')} in ${scratch}\n`);
  const wanted = missing.map((name) => `${name}@${versions[name]}`);
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], {
    cwd: scratch,
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `npm could not install it: ${stderr.split('\n')[0]}`;
}

// biome-ignore lint/suspicious/noExplicitAny: packages that are no dependency of this project have no types in it
export const load = async (name: string): Promise<any> => import(pathToFileURL(require.resolve(name)).href);

export const binIn = (name: string): string => join(scratch, 'node_modules', '.bin', name);
