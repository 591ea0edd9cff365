import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the checkout's packages, or inside the installed package. */
const folders = ['../../../../../docs', '../../docs'].map((path) => join(import.meta.dirname, path));

/** A document of the documentation by its path in it, as `guides/hub.md`. */
export function readDocument(path: string): string | null {
  const folder = folders.find((each) => existsSync(each));
  if (folder === undefined || !/^(?:[a-z]+\/)?[a-z-]+\.md$/.test(path)) return null;
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
