import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotConnect } from '../connect/change.ts';
import type { PublisherFile } from './plan-test-changes.ts';

const packed = join(import.meta.dirname, '..', '..', 'publisher');
const checkout = join(import.meta.dirname, '..', '..', '..', '..', 'publisher', 'dist-file');

/** The one-file publisher: inside the published package, or made by `npm start` in a checkout. */
export function readPublisher(): PublisherFile {
  const folder = [packed, checkout].find((each) => existsSync(join(each, 'publisher.mjs')));
  if (folder === undefined)
    throw new CannotConnect('The publisher is not part of this installation. In a checkout run "npm start" once.');
  return {
    code: readFileSync(join(folder, 'publisher.mjs'), 'utf8'),
    types: readFileSync(join(folder, 'publisher.d.mts'), 'utf8'),
  };
}
