import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Descriptor } from './contract.ts';
import { mostSlices } from './descriptor.ts';
import type { StoredSource } from './ports.ts';

/** What one push may be, in characters of JSON. */
const mostCharacters = 8 * 1024 * 1024;

const measured = new WeakMap<Descriptor, number>();

function charactersOf(descriptor: Descriptor): number {
  const known = measured.get(descriptor) ?? JSON.stringify(descriptor).length;
  measured.set(descriptor, known);
  return known;
}

const sum = (all: readonly StoredSource[], of: (descriptor: Descriptor) => number): number =>
  all.reduce((total, { descriptor }) => total + of(descriptor), 0);

/** All sources are kept in memory and served as one model: together they are no more than one may be. */
export function refuseTooLarge(pushed: StoredSource, others: readonly StoredSource[]): Refusal | undefined {
  const all = [...others, pushed];
  const slices = sum(all, (descriptor) => descriptor.slices.length);
  const characters = sum(all, charactersOf);
  if (slices <= mostSlices && characters <= mostCharacters) return undefined;
  const would = slices > mostSlices ? `${slices} slices` : `${Math.ceil(characters / 1024 / 1024)} MiB`;
  const [largest] = others.toSorted((a, b) => charactersOf(b.descriptor) - charactersOf(a.descriptor));
  const free = largest ? `, or free room with DELETE /api/event-model/${largest.source}` : '';
  return refuse(
    'body_too_large',
    `All sources of a model may have ${mostSlices} slices and 8 MiB together; with this push they would have ${would}. Push less${free}.`,
  );
}
