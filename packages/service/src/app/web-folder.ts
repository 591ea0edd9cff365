import { existsSync } from 'node:fs';
import { join } from 'node:path';

const packed = join(import.meta.dirname, '..', 'web');
const checkout = join(import.meta.dirname, '..', '..', '..', 'web', 'dist');

/** The built web: inside the published package, or beside it in a checkout. */
export const webFolder: string = existsSync(packed) ? packed : checkout;
