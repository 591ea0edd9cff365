import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The root of the program's own files: `src` if it runs from its sources, else `dist`, because the bundle has this in `dist/chunks`. */
export const packageFolder: string = join(import.meta.dirname, '..');

/** The path of a module that is started as a program, by its name without extension. */
export const ownModule = (path: string): string => join(packageFolder, `${path}${extname(import.meta.filename)}`);

/** Published packages contain no sources. In a checkout, the copy that `npm pack` left in `dist` may be outdated. */
export const checkoutFolder: string | null = existsSync(join(packageFolder, '../src'))
  ? join(packageFolder, '../../..')
  : null;

/** A folder that is inside the published package, but elsewhere in a checkout. */
export const publishedFolder = (name: string, inCheckout: string): string =>
  checkoutFolder === null ? join(packageFolder, name) : join(checkoutFolder, inCheckout);
