import { expect, test } from 'vitest';
import { formatRoughly } from './time.tsx';

test('a forecast is rounded to what it can know', () => {
  const said = [900, 12_400, 46_500, 54_999, 58_000, 80_000, 185_000, 3_570_000, 3_900_000, 5_000_000, 86_400_000];
  expect(said.map(formatRoughly)).toEqual([
    ...['5 s', '10 s', '50 s', '50 s', '1 min', '1 min', '3 min', '1 h', '1 h 10 min', '1 h 20 min', '24 h'],
  ]);
});
