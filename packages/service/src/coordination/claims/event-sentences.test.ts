import { expect, test } from 'vitest';
import type { StoredEvent } from '../stored-event.ts';
import { claimSentence } from './event-sentences.ts';

const reported = (note: string | null) =>
  claimSentence({
    type: 'claim_reported',
    data: { id: 'parser', agent: 'ada', note },
    by: 'ada',
  } as StoredEvent<'claim'>);

test('a sentence about a note ends once, whether the note is a sentence or not', () => {
  expect(reported(null)).toBe('ada reported on parser.');
  expect(reported('half way')).toBe('ada reported on parser: half way.');
  expect(reported('Half of it works.')).toBe('ada reported on parser: Half of it works.');
  expect(reported('Is this right?')).toBe('ada reported on parser: Is this right?');
});
