import { expect, test } from 'vitest';
import { type Beat, StoryPlayer } from './story-player.ts';

function playing(length = 30) {
  const played: string[] = [];
  const beat = (atSeconds: number, title: string): Beat => ({
    atSeconds,
    title,
    text: '',
    guide: null,
    play: async () => {
      played.push(title);
      return `/${title}`;
    },
  });
  const advanced: number[] = [];
  const player = new StoryPlayer({
    beats: [beat(0, 'a'), beat(10, 'b'), beat(20, 'c')],
    lengthSeconds: length,
    advance: async (ms) => void advanced.push(ms),
  });
  return { player, played, advanced };
}

test('each beat is played at its time, and the page follows', async () => {
  const { player, played } = playing();
  await player.advance(1_000);
  expect(player.state()).toMatchObject({ title: 'a', page: '/a', step: 1, steps: 3 });
  await player.advance(25_000);
  expect(played).toEqual(['a', 'b', 'c']);
  expect(player.isOver).toBe(false);
  await player.advance(5_000);
  expect(player.isOver).toBe(true);
});

test('a pause stops the clock and long beats, but single steps still work', async () => {
  const { player, played, advanced } = playing();
  await player.advance(0);
  player.act('pause');
  await player.advance(60_000);
  expect([played, advanced]).toEqual([['a'], []]);
  player.act('next');
  player.act('next');
  await player.advance(60_000);
  expect([played, player.state().paused]).toEqual([['a', 'b'], true]);
  expect(advanced).toEqual([10_000]);
  player.act('play');
  await player.advance(10_000);
  expect(played).toEqual(['a', 'b', 'c']);
});

test('a step is shown together with its page, not while it is still being played', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const beat = { atSeconds: 0, title: 'a', text: '', guide: null, play: () => promise };
  const player = new StoryPlayer({ beats: [beat], lengthSeconds: 9, advance: async () => undefined });
  const playing = player.advance(1_000);
  await Promise.resolve();
  expect(player.state()).toMatchObject({ page: '/', step: 0 });
  resolve('/a');
  await playing;
  expect(player.state()).toMatchObject({ page: '/a', step: 1 });
});

test('it restarts on request', async () => {
  const { player } = playing();
  player.act('restart');
  expect(player.isOver).toBe(true);
});
