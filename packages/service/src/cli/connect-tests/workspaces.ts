import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseYaml } from 'yaml';
import { isObject } from '../../kernel/is-object.ts';
import { quietly } from '../quietly.ts';

export type Workspaces = {
  /** Folders of the packages, relative to the root, which is not among them. */
  packages: string[];
  /** Workspaces of other languages, with the command that publishes them. */
  others: string[];
};

/** The packages of a monorepo (npm, yarn, pnpm, lerna, nx or turbo); null for other projects. */
export function findWorkspaces(root: string): Workspaces | null {
  const patterns = patternsIn(root);
  const projects = patterns === null && existsSync(join(root, 'nx.json')) ? nxProjects(root) : null;
  const others = otherWorkspaces(root);
  if (patterns === null && projects === null) return null;
  const found = projects ?? (patterns ?? []).filter((one) => !one.startsWith('!')).flatMap((one) => expand(root, one));
  const excluded = new Set(
    (patterns ?? []).filter((one) => one.startsWith('!')).flatMap((one) => expand(root, one.slice(1))),
  );
  const packages = [...new Set(found)].filter((path) => path !== '' && !excluded.has(path)).sort();
  return { packages, others };
}

function patternsIn(root: string): string[] | null {
  const manifest = objectIn(root, 'package.json');
  const named = manifest?.workspaces;
  const listed = isObject(named) ? named.packages : named;
  const pnpm = textIn(root, 'pnpm-workspace.yaml');
  const ofPnpm = pnpm === null ? undefined : quietly(() => parseYaml(pnpm), null)?.packages;
  const all = [listed, ofPnpm, objectIn(root, 'lerna.json')?.packages].filter(Array.isArray).flat();
  const patterns = all.filter((one): one is string => typeof one === 'string');
  return patterns.length > 0 ? patterns.map((one) => one.replace(/^\.\//, '').replace(/\/$/, '')) : null;
}

/** Folders with a package.json that a pattern names: `packages/*`, `apps/**`, `tools/cli`. */
function expand(root: string, pattern: string): string[] {
  let folders = [''];
  for (const part of pattern.split('/')) {
    folders = folders.flatMap((folder) => {
      if (part === '**') return [folder, ...foldersBelow(root, folder)];
      if (!part.includes('*')) return [joined(folder, part)];
      const [start = '', ...rest] = part.split('*');
      const end = rest.at(-1) ?? '';
      return foldersIn(root, folder).filter((path) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        return name.startsWith(start) && name.endsWith(end);
      });
    });
  }
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json')));
}

const mostFolders = 5_000;

function foldersBelow(root: string, folder: string): string[] {
  const found: string[] = [];
  for (let next = foldersIn(root, folder); next.length > 0 && found.length < mostFolders; ) {
    found.push(...next);
    next = next.flatMap((one) => foldersIn(root, one));
  }
  return found;
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const foldersIn = (root: string, folder: string): string[] =>
  quietly(() => readdirSync(join(root, folder), { withFileTypes: true }), [])
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|dist$)/.test(entry.name))
    .map((entry) => joined(folder, entry.name));

const nxProjects = (root: string): string[] =>
  foldersBelow(root, '').filter((folder) => existsSync(join(root, folder, 'project.json')));

function otherWorkspaces(root: string): string[] {
  const cargo = textIn(root, 'Cargo.toml')?.includes('[workspace]')
    ? ['Cargo.toml: signalbox run -- cargo test --workspace']
    : [];
  const go =
    textIn(root, 'go.work') === null ? [] : ['go.work: signalbox run -- go test -json ./... in each of its modules'];
  return [...cargo, ...go];
}

const textIn = (root: string, file: string): string | null =>
  quietly(() => readFileSync(join(root, file), 'utf8'), null);
function objectIn(root: string, file: string): Record<string, unknown> | null {
  const text = textIn(root, file);
  const value: unknown = text === null ? null : parseJson(text, [], { allowTrailingComma: true });
  return isObject(value) ? value : null;
}
