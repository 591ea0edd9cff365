import type { Steps } from '../../kernel/in-turns.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Descriptor } from './contract.ts';
import { mostSlices } from './descriptor.ts';

/** How much a source is, with its length as JSON. */
export type SourceSize = { source: string; slices: number; characters: number };

/** What one push may be. */
const mostCharacters = 8 * 1024 * 1024;

export function* sizeOf(source: string, descriptor: Descriptor): Steps<SourceSize> {
  const { slices, aggregates, hotspots, ...rest } = descriptor;
  let characters = JSON.stringify(rest).length;
  for (const item of [...slices, ...aggregates, ...hotspots]) {
    characters += JSON.stringify(item).length;
    yield;
  }
  return { source, slices: slices.length, characters };
}

/** All sources are kept in memory and served as one model: together they are no more than one may be. */
export function refuseTooLarge(pushed: SourceSize, others: readonly SourceSize[]): Refusal | undefined {
  const all = [...others, pushed];
  const slices = all.reduce((sum, each) => sum + each.slices, 0);
  const characters = all.reduce((sum, each) => sum + each.characters, 0);
  if (slices <= mostSlices && characters <= mostCharacters) return undefined;
  const would = slices > mostSlices ? `${slices} slices` : `${Math.ceil(characters / 1024 / 1024)} MiB`;
  const [largest] = others.toSorted((a, b) => b.characters - a.characters);
  const free = largest ? `, or free room with DELETE /api/event-model/${largest.source}` : '';
  return refuse(
    'body_too_large',
    `All sources of a model may have ${mostSlices} slices and 8 MiB together; with this push they would have ${would}. Push less${free}.`,
  );
}
