import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedFolder } from '../../files/package-folder.ts';
import { CannotConnect } from '../connect/change.ts';
import type { PublisherFile } from './plan-test-changes.ts';

const folder = publishedFolder('publisher', 'packages/publisher/dist-file');

/** The one-file publisher, part of the published package; in a checkout `npm run build` and `npm test` create it. */
export function readPublisher(): PublisherFile {
  if (!existsSync(join(folder, 'publisher.mjs')))
    throw new CannotConnect('The publisher is not built yet. In a checkout run "npm run build" once.');
  return {
    code: readFileSync(join(folder, 'publisher.mjs'), 'utf8'),
    types: readFileSync(join(folder, 'publisher.d.mts'), 'utf8'),
  };
}
