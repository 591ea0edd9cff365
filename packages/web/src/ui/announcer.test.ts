import { expect, test } from 'vitest';
import { spokenText } from './announcer.tsx';

test('what comes together is one text: the first of each kind, and how many more', () => {
  const failed = (name: string) => ({ text: `${name} failed`, more: 'failed' });
  const waits = { text: 'stage-4 waits for you', more: 'need you' };
  expect(spokenText([failed('adds')])).toBe('adds failed.');
  expect(spokenText([failed('adds'), failed('b'), waits, failed('c'), failed('d')])).toBe(
    'adds failed. 3 more failed. stage-4 waits for you.',
  );
});
