import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The root of the program's own files: `src` where it runs from its sources, else `dist`, where this is part of `dist/chunks`. */
export const packageFolder: string = join(import.meta.dirname, '..');

/** A module of the program that is started by its path, named without its extension. */
export const ownModule = (path: string): string => join(packageFolder, `${path}${extname(import.meta.filename)}`);

/** A folder that is published inside the package, and stands at another path of a checkout. */
export function publishedFolder(name: string, inCheckout: string): string {
  const inside = join(packageFolder, name);
  return existsSync(inside) ? inside : join(packageFolder, '../../..', inCheckout);
}
