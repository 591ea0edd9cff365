import { expect, test } from 'vitest';
import type { Snapshot } from './snapshot.ts';
import { SnapshotKeeper } from './snapshot-keeper.ts';

test('a snapshot that is written slowly does not replace the one after it', async () => {
  const slow = Promise.withResolvers<void>();
  const written: number[] = [];
  let sequence = 0;
  const snapshots = {
    every: { running: 50, atEnd: 1 },
    read: () => null,
    async write(snapshot: Snapshot) {
      if (snapshot.sequence === 50) await slow.promise;
      written.push(snapshot.sequence);
    },
  };
  const take = () => ({ epoch: 'e', sequence, id: `event ${sequence}`, versions: new Map(), states: new Map() });
  const keeper = new SnapshotKeeper(snapshots, take);

  sequence = 50;
  keeper.reached(sequence);
  sequence = 83;
  const closed = keeper.close(sequence);
  await new Promise(setImmediate);
  slow.resolve();
  await closed;
  expect(written).toEqual([50, 83]);
});
