import { expect, test } from 'vitest';
import { stolenIn, stolenMs } from './stolen-time.ts';

test('what a host took is read for each processor', () => {
  const stat = [
    'cpu  52010 10 13010 900100 410 0 60 530 0 0',
    'cpu0 26005 5 6505 450050 205 0 30 510 0 0',
    'cpu1 26005 5 6505 450050 205 0 30 20 0 0',
    'intr 123 0 0',
  ].join('\n');
  expect(stolenIn(stat)).toEqual([5100, 200]);
});

test('this system is asked without a fault, whatever it is', () => {
  expect(stolenMs().every((ms) => ms >= 0)).toBe(true);
});
