import { trimOf } from '../../kernel/text.ts';
import { type TimeBudget, unknownWeight } from './ports.ts';

const chunkLength = 64 * 1024;

/** Joins many small texts into few large ones, and yields to other work in between. */
export async function* inChunks(pieces: Iterable<string>, timeBudget: TimeBudget): AsyncIterable<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }
    if (timeBudget.isSpent(unknownWeight)) await timeBudget.pause();
  }
  if (chunk !== '') yield chunk;
}

/** One JSON object whose named member is a long list, without the whole text in memory. Each item is several pieces of JSON. */
export function* jsonWithPieces(object: object, list: string, items: Iterable<Iterable<string>>): Iterable<string> {
  const rest = JSON.stringify(object);
  yield `${rest.slice(0, -1)}${rest === '{}' ? '' : ','}${JSON.stringify(list)}:[`;
  let first = true;
  for (const item of items) {
    if (!first) yield ',';
    yield* item;
    first = false;
  }
  yield ']}';
}

/** A JSON object with a long list whose items are one piece each. */
export const jsonWithList = (object: object, list: string, items: Iterable<object>): Iterable<string> =>
  jsonWithPieces(object, list, onePieceEach(items));

function* onePieceEach(items: Iterable<object>): Iterable<[string]> {
  for (const item of items) yield [JSON.stringify(item)];
}

const longestStem = 100;
/** How much of a suite's name is used in a file name: other characters become dashes, and outer dashes are removed. */
const looksAt = 1_000;

/** Suite and the first eight characters of the id, safe in a file name on any system. */
export function exportName(suite: string | null, runId: string, ending: string): string {
  const dashed = (suite ?? '').slice(0, looksAt).replace(/[^\p{L}\p{N}]/gu, '-');
  const stem = trimOf(trimOf(dashed, '-').slice(0, longestStem), '-');
  return `${stem === '' ? 'run' : stem}-${runId.slice(0, 8)}.${ending}`;
}
