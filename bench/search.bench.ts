import { MemorySearch } from '../packages/service/src/coordination/repositories/memory-search.ts';
import type { RecordedEvent } from '../packages/service/src/kernel/event-log.ts';
import { seeded } from './shapes.ts';

// Words, prefixes and typos over 1,000, 10,000 and 100,000 notes, against reading every note from start to end in the same
// run. The words of a text are drawn as in a language: few are everywhere, most are rare.
const random = seeded(11);
const vocabulary = Array.from({ length: 20_000 }, (_, index) => word(index));

function word(index: number): string {
  const parts = ['ka', 'lo', 'mi', 'ren', 'tu', 'sa', 'vor', 'ek', 'dil', 'pra', 'noz', 'ush'];
  let left = index + 12;
  let text = '';
  for (; left > 0; left = Math.floor(left / parts.length)) text += parts[left % parts.length];
  return text;
}

/** Rank r is drawn about 1/r as often as the first. */
const drawn = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? 'ka';
const sentence = (length: number) => Array.from({ length }, drawn).join(' ');

const noteEvent = (sequence: number, text: string): RecordedEvent => ({
  sequence,
  stream: 'repository:acme/shop',
  version: sequence,
  topic: 'repository:acme/shop',
  id: `e${sequence}`,
  at: '2026-01-01T00:00:00.000Z',
  by: 'ada',
  provenance: 'asserted',
  type: 'note_added',
  data: { owner: 'acme', name: 'shop', id: `n${sequence}`, topic: drawn(), text, supersedes: null },
});

const typo = (text: string) => text.slice(0, 2) + text.slice(3);
/** People do not search for the hundred most common words; those are measured separately. */
const telling = () => vocabulary[Math.floor(100 * (vocabulary.length / 100) ** random())] ?? 'ka';
const questions = {
  'one word': telling,
  'two words': () => `${telling()} ${telling()}`,
  prefix: () => telling().slice(0, 5),
  typo: () => typo(telling()),
  common: () => vocabulary[Math.floor(random() * 100)] ?? 'ka',
};

const quantile = (values: number[], share: number) =>
  values.sort((a, b) => a - b)[Math.floor(values.length * share)]?.toFixed(2) ?? '';
const heapMb = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

for (const size of [1_000, 10_000, 100_000]) {
  const texts = Array.from({ length: size }, () => sentence(12 + Math.floor(random() * 30)));
  const before = heapMb();
  const search = new MemorySearch();
  let started = performance.now();
  for (const [index, text] of texts.entries()) search.apply(noteEvent(index + 1, text));
  const built = performance.now() - started;
  const heap = heapMb() - before;
  console.log(`${size} notes: index built in ${built.toFixed(0)} ms, ${heap.toFixed(1)} MB of heap`);
  for (const [kind, ask] of Object.entries(questions)) {
    const times: number[] = [];
    const scans: number[] = [];
    let hits = 0;
    for (let round = 0; round < 60; round += 1) {
      const q = ask();
      started = performance.now();
      hits += search.find(q).length;
      times.push(performance.now() - started);
      started = performance.now();
      texts.filter((text) => text.includes(q));
      scans.push(performance.now() - started);
    }
    const [ours, scan] = [quantile(times, 0.5), quantile(scans, 0.5)];
    console.log(
      `  ${kind.padEnd(9)} median ${ours.padStart(7)} ms  p99 ${quantile(times, 0.99).padStart(7)} ms  reading all ${scan.padStart(7)} ms  ratio ${(Number(ours) / Number(scan)).toFixed(2)}  hits ${Math.round(hits / 60)}`,
    );
  }
}
