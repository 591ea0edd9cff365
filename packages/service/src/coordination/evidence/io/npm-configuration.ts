import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readPlainFile } from '../../../files/plain-file.ts';
import { trimEndOf } from '../../../kernel/text.ts';

export type NpmFeed = { registry: string; authorization: string | undefined };

type Env = Readonly<Record<string, string | undefined>>;

/** The feed that the user's own npm would ask for a package: scopes, private registries and their tokens included. */
export async function npmFeedFor(name: string, override: string | undefined, env: Env = process.env): Promise<NpmFeed> {
  const settings = readSettings(env);
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined;
  const scoped = scope && settings.get(`${scope}:registry`);
  const named = override ?? scoped ?? settings.get('registry') ?? (await defaultRegistry());
  const registry = trimEndOf(named, '/');
  return { registry, authorization: authorizationFor(registry, settings) };
}

const mostBytes = 1024 * 1024;

let registryAnswer: Promise<string> | undefined;

/**
 * The configuration is read from npm itself, which knows its defaults, environment and files. npm is called again until
 * it answers.
 */
const defaultRegistry = (): Promise<string> => {
  registryAnswer ??= new Promise((resolve) => {
    // Never in the service's working directory, where the .npmrc of a repository would choose what proves a package.
    execFile('npm', ['config', 'get', 'registry'], { timeout: 10_000, cwd: homedir() }, (fault, text) => {
      if (fault) registryAnswer = undefined;
      resolve(fault ? '' : text.trim());
    });
  });
  return registryAnswer;
};

function authorizationFor(registry: string, settings: Map<string, string>): string | undefined {
  // A token is kept under the address without its scheme, perhaps of a folder above.
  for (
    let address = registry.replace(/^https?:/, '');
    address.length > 2;
    address = address.slice(0, address.lastIndexOf('/'))
  ) {
    for (const slash of ['/', '']) {
      const token = settings.get(`${address}${slash}:_authToken`);
      if (token) return `Bearer ${token}`;
      const basic = settings.get(`${address}${slash}:_auth`);
      if (basic) return `Basic ${basic}`;
    }
  }
  return undefined;
}

function readSettings(env: Env): Map<string, string> {
  const settings = new Map<string, string>();
  for (const file of [
    env.npm_config_globalconfig,
    env.npm_config_userconfig ?? join(env.HOME ?? homedir(), '.npmrc'),
  ]) {
    if (file === undefined) continue;
    for (const line of linesOf(file)) {
      const equals = line.indexOf('=');
      const key = line.slice(0, Math.max(equals, 0)).trim();
      if (key === '' || /^[#;]/.test(key)) continue;
      const value = line
        .slice(equals + 1)
        .trim()
        .replace(/^"/, '')
        .replace(/"$/, '');
      settings.set(
        key,
        value.replace(/\$\{(\w+)\}/g, (_, variable: string) => env[variable] ?? ''),
      );
    }
  }
  return settings;
}

function linesOf(file: string): string[] {
  try {
    return readPlainFile(file, mostBytes).toString('utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
