import { expect, test } from 'vitest';
import { problemIn } from './problem.ts';

test('a problem is read with its errors and everything else that it carries', () => {
  const text =
    '{"code":"node_claimed","detail":"Somebody is on it.","errors":[{"path":"a","message":"b"},7],"heldBy":"ada"}';
  expect(problemIn(text)).toMatchObject({
    code: 'node_claimed',
    detail: 'Somebody is on it.',
    errors: [{ path: 'a', message: 'b' }],
    body: { heldBy: 'ada' },
  });
});

test('anything other than a problem object is ignored', () => {
  const nothing = { code: null, detail: null, errors: [], body: {} };
  expect(['<html>', '', 'null', '7'].map(problemIn)).toEqual([nothing, nothing, nothing, nothing]);
});
