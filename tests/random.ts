import { isLong } from './rounds.ts';

/** Random numbers from a seed: the same seed gives the same run on every machine. */
export type Random = {
  /** From 0 up to 1, without 1. */
  next(): number;
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
};

/** `number` distinguishes sequences of one seed, so that any one of a million can be generated alone. */
export function randomOf(seed: number, number = 0): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined && items.length === 0) throw new Error('nothing to pick from');
      return item as (typeof items)[number];
    },
  };
}

/** The seed of this run. The long forms use a new seed each time; `npm test` always uses the same. */
export const seedOfRun = (): number =>
  Number(process.env.SIGNALBOX_SEED ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 20_261_115));
