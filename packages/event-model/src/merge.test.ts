import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { host, modelOf, sliceOf, specs, typeOf } from '../testing/wallets.ts';
import type { Descriptor, Slice } from './contract.ts';
import { mergeSources, type SourceDescriptor } from './merge.ts';
import { patterns, provenances } from './vocabulary.ts';

const merged = (...parts: [source: string, slice: Partial<Slice>][]): Slice => {
  const sources = parts.map(([source, slice]) => ({ source, descriptor: modelOf('W', [sliceOf('S', slice)]) }));
  const [slice] = mergeSources('W', sources).slices;
  return slice!;
};

describe('one role of one slice', () => {
  test('the stronger claim wins a value, and the weaker one stays visible', () => {
    const slice = merged(
      ['design', { commandType: typeOf('AddFunds', '') }],
      ['host', { commandType: typeOf('Credit'), provenance: 'Observed' }],
    );
    expect(slice.commandType).toEqual(typeOf('Credit'));
    expect(slice.claimedBy).toEqual({ CommandType: 'Observed' });
    expect(slice.hotspots).toEqual([
      {
        origin: 'SourceDisagreement',
        text: 'CommandType: Shop.Credit (Observed, host) stands over AddFunds (Declared, design)',
        specificationIdentity: null,
        role: 'CommandType',
        winningClaim: { provenance: 'Observed', value: 'Shop.Credit', source: 'host' },
        losingClaim: { provenance: 'Declared', value: 'AddFunds', source: 'design' },
      },
    ]);
  });

  test('among equally strong claims the first source by name wins', () => {
    const slice = merged(['b', { domain: 'Payments' }], ['a', { domain: 'Banking' }]);
    expect(slice.domain).toBe('Banking');
    expect(slice.hotspots[0]?.losingClaim?.value).toBe('Payments');
  });

  test('a source that claims nothing never wins', () => {
    expect(merged(['a', { provenance: 'Observed' }], ['b', { domain: 'Banking' }])).toMatchObject({
      domain: 'Banking',
      hotspots: [],
    });
  });

  test('a role’s own provenance counts before the slice’s', () => {
    const slice = merged(
      ['a', { domain: 'Guess', provenance: 'Observed', claimedBy: { Domain: 'Declared' } }],
      ['b', { domain: 'Known', provenance: 'Derived' }],
    );
    expect(slice.domain).toBe('Known');
  });

  test('equally strong lists are merged', () => {
    const slice = merged(
      ['a', { emittedEvents: [typeOf('One')] }],
      ['b', { emittedEvents: [typeOf('One'), typeOf('Two')] }],
    );
    expect(slice.emittedEvents.map(({ name }) => name)).toEqual(['One', 'Two']);
    expect(slice.hotspots).toEqual([]);
  });

  test('a stronger list replaces a weaker one, and lost items are a disagreement', () => {
    const [low, high] = [
      { emittedEvents: [typeOf('One'), typeOf('Lost')] },
      { emittedEvents: [typeOf('One')], provenance: 'Derived' as const },
    ];
    const slice = merged(['a', low], ['b', high]);
    expect(slice.emittedEvents).toEqual([typeOf('One')]);
    expect(slice.hotspots).toHaveLength(1);
    expect(merged(['a', { emittedEvents: [typeOf('One')] }], ['b', high]).hotspots).toEqual([]);
  });

  test('a declared type and the same one known from code are one, and the known one is shown', () => {
    const slice = merged(['a', { emittedEvents: [typeOf('One', '')] }], ['b', { emittedEvents: [typeOf('One')] }]);
    expect(slice.emittedEvents).toEqual([typeOf('One')]);
  });

  test('a specification from two sources has the types of both', () => {
    const spec = (name: string) => ({ specifications: [{ identity: 'F/s', resolvedTypes: [typeOf(name)] }] });
    expect(merged(['a', spec('A')], ['b', spec('B')]).specifications).toEqual([
      { identity: 'F/s', resolvedTypes: [typeOf('A'), typeOf('B')] },
    ]);
  });
});

test('aggregates are merged by type, and two kinds of one type are a disagreement', () => {
  const aggregate = (kind: 'WriteAggregate' | 'BoundaryModel', event: string): Descriptor =>
    modelOf('W', [], { aggregates: [{ type: typeOf('Wallet'), kind, appliedEvents: [typeOf(event)] }] });
  const model = mergeSources('W', [
    { source: 'a', descriptor: aggregate('WriteAggregate', 'Opened') },
    { source: 'b', descriptor: aggregate('BoundaryModel', 'Closed') },
  ]);
  expect(model.aggregates).toEqual([
    { type: typeOf('Wallet'), kind: 'WriteAggregate', appliedEvents: [typeOf('Opened'), typeOf('Closed')] },
  ]);
  expect(model.hotspots[0]?.text).toBe('Shop.Wallet: WriteAggregate (a) stands over BoundaryModel (b)');
});

test('a host without specifications and a suite without types make one complete slice', () => {
  const model = mergeSources('Wallets', [
    { source: 'host', descriptor: host },
    { source: 'specs', descriptor: specs },
  ]);
  const credit = model.slices.find(({ name }) => name === 'CreditWallet');
  expect(credit).toMatchObject({ domain: 'Banking', commandType: typeOf('CreditWallet') });
  expect(credit?.specifications).toHaveLength(1);
});

const name = fc.constantFrom('A', 'B', 'C');
const anyType = fc
  .record({ name, assemblyName: fc.constantFrom('', 'Shop', 'Bank') })
  .map((type) => typeOf(type.name, type.assemblyName));
const anySlice = fc
  .record({
    name,
    domain: fc.option(name),
    pattern: fc.option(fc.constantFrom(...patterns)),
    commandType: fc.option(anyType),
    emittedEvents: fc.array(anyType, { maxLength: 4 }),
    specifications: fc.array(fc.record({ identity: name, resolvedTypes: fc.array(anyType, { maxLength: 2 }) }), {
      maxLength: 3,
    }),
    provenance: fc.option(fc.constantFrom(...provenances)),
  })
  .map(({ name: called, ...rest }) => sliceOf(called, rest));
const anyModel = fc
  .uniqueArray(anySlice, { selector: (slice) => slice.name, maxLength: 3 })
  .map((slices) => modelOf('W', slices));
const anySources: fc.Arbitrary<SourceDescriptor[]> = fc
  .array(anyModel, { minLength: 1, maxLength: 5 })
  .map((models) => models.map((descriptor, index) => ({ source: `source-${index}`, descriptor })));

describe('for any sources', () => {
  test('the order in which they are given does not matter', () => {
    const shuffled = anySources.chain((sources) =>
      fc.tuple(fc.constant(sources), fc.shuffledSubarray(sources, { minLength: sources.length })),
    );
    fc.assert(
      fc.property(shuffled, ([sources, other]) => {
        expect(JSON.stringify(mergeSources('W', other))).toBe(JSON.stringify(mergeSources('W', sources)));
      }),
    );
  });

  test('no slice is lost or repeated', () => {
    fc.assert(
      fc.property(anySources, (sources) => {
        const pushed = new Set(sources.flatMap(({ descriptor }) => descriptor.slices.map((slice) => slice.name)));
        expect(
          mergeSources('W', sources)
            .slices.map((slice) => slice.name)
            .sort(),
        ).toEqual([...pushed].sort());
      }),
    );
  });

  test('a source that repeats another one changes nothing', () => {
    fc.assert(
      fc.property(anyModel, (descriptor) => {
        const once = mergeSources('W', [{ source: 'a', descriptor }]);
        const twice = mergeSources('W', [
          { source: 'a', descriptor },
          { source: 'b', descriptor },
        ]);
        expect(twice).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  test('every claim that loses is a disagreement that names its source', () => {
    fc.assert(
      fc.property(anySources, (sources) => {
        for (const slice of mergeSources('W', sources).slices) {
          for (const { source, descriptor } of sources) {
            const claimed = descriptor.slices.find((part) => part.name === slice.name)?.domain;
            const lost = claimed !== undefined && claimed !== null && claimed !== slice.domain;
            const isReported = slice.hotspots.some(
              (spot) => spot.role === 'Domain' && spot.losingClaim?.source === source,
            );
            expect(isReported).toBe(lost);
          }
        }
      }),
    );
  });
});
