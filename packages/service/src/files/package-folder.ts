import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The root of the program's own files: `src` where it runs from its sources, else `dist`, where this is part of `dist/chunks`. */
export const packageFolder: string = join(import.meta.dirname, '..');

/** A module of the program that is started by its path, named without its extension. */
export const ownModule = (path: string): string => join(packageFolder, `${path}${extname(import.meta.filename)}`);

/** Sources are not published. What `npm pack` has copied into the `dist` of a checkout may be old. */
const isCheckout = existsSync(join(packageFolder, '../src'));

/** A folder that is published inside the package, and stands at another path of a checkout. */
export const publishedFolder = (name: string, inCheckout: string): string =>
  isCheckout ? join(packageFolder, '../../..', inCheckout) : join(packageFolder, name);
