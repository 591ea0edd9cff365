import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { TopicCache } from './follower.ts';

const event = (sequence: number, topic: string) => ({ sequence, topic }) as RecordedEvent;

test('a story is held in order for as long as the whole log fits', () => {
  const stories = new TopicCache(3);
  for (const each of [event(1, 'a'), event(2, 'b'), event(3, 'a')]) stories.apply(each);
  expect(stories.of('a', 0)).toEqual([event(1, 'a'), event(3, 'a')]);
  expect(stories.of('a', 1)).toEqual([event(3, 'a')]);
  expect(stories.of('nothing', 0)).toEqual([]);
  stories.apply(event(4, 'b'));
  expect(stories.of('a', 0)).toBeNull();
  stories.reset();
  expect(stories.of('a', 0)).toEqual([]);
});
