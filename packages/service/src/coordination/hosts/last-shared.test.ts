import { expect, test } from 'vitest';
import type { SharedRun } from './contract.ts';
import { inBatches, LastShared } from './last-shared.ts';

const run = (runId: string, passed = 0) =>
  [runId, { run: { runId, passed }, retried: [] } as unknown as SharedRun] as const;

test('only what reads differently is news, and only until it was written', () => {
  const book = new LastShared();
  const first = book.changesSince({ run: [run('a'), run('b')] });
  expect(first.changed.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(book.changesSince({ run: [run('a'), run('b')] })).toEqual(first);
  book.recordWritten(first);
  expect(book.changesSince({ run: [run('a'), run('b')] })).toEqual({ changed: [], gone: [] });
  expect(book.changesSince({ run: [run('a', 1)] })).toMatchObject({
    changed: [{ kind: 'run', id: 'a' }],
    gone: [{ kind: 'run', id: 'b' }],
  });
  expect(book.changesSince({ session: [] })).toEqual({ changed: [], gone: [] });
});

test('items that the store already has are not written again, and outdated ones are removed', () => {
  const book = new LastShared();
  const [, body] = run('a');
  book.reset([
    { kind: 'run', id: 'a', body },
    { kind: 'run', id: 'old', body },
  ]);
  expect(book.changesSince({ run: [run('a')] })).toEqual({ changed: [], gone: [{ kind: 'run', id: 'old' }] });
});

test('many changes are sent in pieces, and no change is still one heartbeat', () => {
  const changed = Array.from({ length: 5 }, (_, number) => ({ kind: 'run', id: String(number), body: {} }));
  const pieces = [...inBatches({ changed, gone: [{ kind: 'run', id: 'x' }] }, 2)];
  expect(pieces.map((piece) => [piece.changed.length, piece.gone.length])).toEqual([
    [2, 1],
    [2, 0],
    [1, 0],
  ]);
  expect([...inBatches({ changed: [], gone: [] })]).toHaveLength(1);
});
