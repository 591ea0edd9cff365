import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runNow } from '../../service/src/event-loop/task.ts';
import { host, modelOf, sliceOf, specs, typeOf } from '../testing/wallets.ts';
import { computeModel, createModelComputation, viewOf } from './model-view.ts';
import { createLatestVerdicts } from './verdicts.ts';

const pushedAt = '2026-01-01T10:00:00.000Z';
const other = modelOf('Wallets', [
  sliceOf('CreditWallet', { domain: 'Payments', emittedEvents: [typeOf('Logged')] }),
  sliceOf('CloseWallet'),
]);
const bodies = [host, specs, other];

test('any history of pushes gives the same model as one push of everything', () => {
  const push = fc.record({ source: fc.constantFrom('a', 'b', 'c'), body: fc.option(fc.nat({ max: 2 })) });
  fc.assert(
    fc.property(fc.array(push, { maxLength: 12 }), (history) => {
      const computing = createModelComputation();
      const held = new Map<string, Parameters<typeof computeModel>[1][number]>();
      for (const { source, body } of history) {
        const descriptor = body === null ? undefined : bodies[body];
        if (descriptor) held.set(source, { source, pushedAt, descriptor });
        else held.delete(source);
        expect(runNow(computing('Wallets', [...held.values()]))).toEqual(computeModel('Wallets', [...held.values()]));
      }
    }),
  );
});

test('every slice of the view has its computed members', () => {
  const view = viewOf(
    computeModel('Wallets', [{ source: 'host', pushedAt, descriptor: host }]),
    createLatestVerdicts(),
  );
  for (const slice of view.slices) {
    expect(slice.evidence).toEqual({ state: 'noSpec', specifications: [] });
    expect(slice.elements.length).toBeGreaterThan(0);
  }
});
