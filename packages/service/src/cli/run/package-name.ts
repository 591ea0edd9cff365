import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../../files/plain-file.ts';

const mostBytes = 1024 * 1024;

/** Files that name the package of a folder, in order of preference. */
const manifests: readonly { file: string; name: (text: string) => unknown }[] = [
  { file: 'package.json', name: (text) => JSON.parse(text).name },
  { file: 'go.mod', name: (text) => /^module\s+(\S+)/m.exec(text)?.[1] },
  { file: 'Cargo.toml', name: (text) => inSection(text, 'package', 'name') },
  {
    file: 'pyproject.toml',
    name: (text) => inSection(text, 'project', 'name') ?? inSection(text, 'tool.poetry', 'name'),
  },
  { file: 'composer.json', name: (text) => JSON.parse(text).name },
];

/** The name of the package in exactly this folder, in any supported language. */
export function packageNameIn(folder: string): string | null {
  for (const { file, name } of manifests) {
    const path = join(folder, file);
    const said = existsSync(path) ? nameOf(path, name) : undefined;
    if (typeof said === 'string' && said !== '') return said;
  }
  return null;
}

function nameOf(path: string, name: (text: string) => unknown): unknown {
  try {
    return name(readPlainFile(path, mostBytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function inSection(toml: string, section: string, key: string): string | undefined {
  const lines = toml.split(/\r?\n/).map((line) => line.trim());
  const start = lines.indexOf(`[${section}]`);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('['));
  const own = end < 0 ? rest : rest.slice(0, end);
  const found = own.find((line) => line.startsWith(key) && line.slice(key.length).trimStart().startsWith('='));
  return found
    ?.slice(found.indexOf('=') + 1)
    .trim()
    .replace(/^(["'])([^"']*)\1.*$/, '$2');
}
