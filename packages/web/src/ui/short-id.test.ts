import { expect, test } from 'vitest';
import { shortId } from './short-id.ts';

test('ids that were made one after the other can be told apart', () => {
  expect(shortId('6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f')).toBe('6f1c2f0e');
  expect(shortId('019a9a3c-5f10-7c3a-8000-0b6a1d2c3e4f')).toBe('019a9a3c-5f10');
  expect(shortId('live-2000')).toBe('live-2000');
  expect(shortId('checkout-build-1203')).toBe('checkou…d-1203');
});
