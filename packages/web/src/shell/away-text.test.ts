import { expect, test } from 'vitest';
import { awayText } from './away-text.ts';

test('while the service does not answer, the page is as of the last answer, or of an unknown time if there was none', () => {
  expect(awayText('14:02:10 UTC')).toBe(
    'You see the state at 14:02:10 UTC; this page continues by itself when the service is back.',
  );
  expect(awayText(null)).toBe('You see the last known state; this page continues by itself when the service is back.');
});
