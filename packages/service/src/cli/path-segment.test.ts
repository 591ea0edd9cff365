import { expect, test } from 'vitest';
import { pathSegment } from './path-segment.ts';

test('a name stays one part of an address, and dots that would lead to another are refused', () => {
  expect(['a b', 'x/y', '...', '.hidden'].map(pathSegment)).toEqual(['a%20b', 'x%2Fy', '...', '.hidden']);
  for (const dots of ['.', '..']) expect(() => pathSegment(dots)).toThrow(`Nothing is called ${dots}`);
});
