import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '..', '..', 'examples', 'shop.event-model.json');

/** A shop as an event model whose specifications are scenarios of `richRun`. */
export const richModel = JSON.parse(readFileSync(file, 'utf8')) as { slices: Array<{ name: string }> };
