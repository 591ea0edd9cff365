import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { streams } from '../../kernel/streams.ts';
import { MemorySearch } from './memory-search.ts';

const change = record({
  kind: constantFrom('claim note', 'no more note', 'note', 'superseding note'),
  at: integer({ min: 0, max: 4 }),
  word: constantFrom('lexer', 'parser', 'ledger'),
});

test('a search that was saved and loaded finds the same notes as one that indexed them all, including later notes', () => {
  assert(
    property(array(change, { maxLength: 30 }), integer({ min: 0, max: 30 }), (changes, savedAfter) => {
      const whole = new MemorySearch();
      let resumed = new MemorySearch();
      for (const [index, { kind, at, word }] of changes.entries()) {
        if (index === savedAfter) {
          const saved = structuredClone(resumed.save());
          resumed = new MemorySearch();
          resumed.load(saved);
        }
        for (const search of [whole, resumed]) {
          if (kind === 'claim note' || kind === 'no more note') {
            const text = kind === 'claim note' ? `${word} at ${index}` : null;
            search.putClaimNote({ id: `p/n${at}#1`, ref: `p/n${at}`, text, by: 'ada', at: 't', sequence: index });
          } else search.apply(noteAdded(index, word, kind === 'note' ? null : `note-${at}`));
        }
      }
      for (const word of ['lexer', 'parser', 'ledger', 'at'])
        expect(new Set(resumed.find(word))).toEqual(new Set(whole.find(word)));
      expect(entriesOf(resumed)).toEqual(entriesOf(whole));
      if (changes.some(({ kind }) => kind === 'note')) expect(whole.find('general')).not.toEqual([]);
    }),
  );
});

const entriesOf = (search: MemorySearch) => (search.save() as { entries: string }).entries;

const noteAdded = (sequence: number, word: string, supersedes: string | null) => ({
  id: `e${sequence}`,
  sequence,
  stream: streams.repository('acme', 'shop'),
  topic: '',
  version: sequence + 1,
  type: 'note_added',
  data: { owner: 'acme', name: 'shop', id: `note-${sequence}`, topic: 'notes', text: `${word} in general`, supersedes },
  by: 'ada',
  at: 't',
  provenance: 'asserted' as const,
});
