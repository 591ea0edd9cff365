import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HubMessage } from './message.ts';
import { MessageRing } from './ring.ts';

const message = (id: number, bytes: number): HubMessage => ({
  id,
  topic: { type: 'reset', plan: undefined, runIds: [] },
  json: Buffer.alloc(bytes),
  frames: {},
});

const limits = fc.record({ messages: fc.integer({ min: 1, max: 20 }), bytes: fc.integer({ min: 1, max: 500 }) });
const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 60 });

test('the newest messages are kept without a gap, within both bounds, and the very newest always', () => {
  fc.assert(
    fc.property(limits, sizes, fc.nat(), (bounds, all, before) => {
      const ring = new MessageRing(before, bounds);
      for (const bytes of all) ring.push((id) => message(id, bytes));
      expect(ring.newestId).toBe(before + all.length);
      const kept = all.map((_, index) => ring.at(before + 1 + index)).filter((one) => one !== undefined);
      const total = kept.reduce((sum, { json }) => sum + json.length, 0);
      expect(ring.bytes).toBe(total);
      expect(kept.map(({ id }) => id)).toEqual(kept.map((_, index) => ring.newestId - kept.length + 1 + index));
      expect(kept.length <= 1 || (kept.length <= bounds.messages && total <= bounds.bytes)).toBe(true);
      if (all.length > 0) expect(ring.at(ring.newestId)).toBeDefined();
    }),
  );
});

test('an id can be resumed from exactly when everything after it is here', () => {
  fc.assert(
    fc.property(limits, sizes, fc.integer({ min: -70, max: 70 }), (bounds, all, offset) => {
      const before = 1_000;
      const ring = new MessageRing(before, bounds);
      for (const bytes of all) ring.push((id) => message(id, bytes));
      const after = before + offset;
      const given = after >= before && after <= ring.newestId;
      const here = Array.from({ length: Math.max(0, ring.newestId - after) }, (_, index) => ring.at(after + 1 + index));
      expect(ring.holdsAfter(after)).toBe(given && here.every((one) => one !== undefined));
    }),
  );
});
