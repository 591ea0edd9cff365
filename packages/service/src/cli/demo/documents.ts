import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedFolder } from '../../files/package-folder.ts';

const docs = publishedFolder('docs', 'docs');

/** A page of the documentation by its path, such as `guides/hub.md`. */
export function readDocument(path: string): string | null {
  if (!/^(?:[a-z]+\/)?[a-z-]+\.md$/.test(path)) return null;
  const file = join(docs, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
