import { expect, test } from 'vitest';
import { isLong } from '../rounds.ts';
import { tellStory } from './stories.ts';

test('after any sequence of disconnects, lost answers and restarts the board equals the real state', () => {
  for (let seed = 1; seed <= (isLong ? 1_000 : 150); seed += 1) {
    const { shown, there } = tellStory(seed);
    expect(shown, `story ${seed}`).toEqual(there);
  }
});
