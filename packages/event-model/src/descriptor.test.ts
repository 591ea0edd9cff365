import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { faultsOf } from '../../service/src/kernel/shape.ts';
import { pushedDescriptor, shortName } from './descriptor.ts';

const read = (pushed: unknown) => pushedDescriptor.parse(pushed);
const faults = (pushed: unknown) => {
  const parsed = pushedDescriptor.safeParse(pushed, { reportInput: true });
  return parsed.success ? [] : faultsOf(parsed.error, pushedDescriptor);
};

/** As a .NET producer with default settings writes it: PascalCase all over, nulls for lists, members of its own. */
const fromDotNet = {
  Name: 'Wallets',
  SchemaVersion: 4,
  Slices: [
    {
      Name: 'CreditWallet',
      Pattern: 'Command',
      TriggerKind: 'Http',
      TriggerOrigin: { HttpRoute: '/wallets/{id}/credit', HttpMethod: 'POST' },
      CommandType: { Name: 'CreditWallet', FullName: 'Shop.CreditWallet', AssemblyName: 'Shop' },
      EmittedEvents: [{ FullName: 'Shop.WalletCredited', AssemblyName: 'Shop' }],
      ReadModelTypes: null,
      Provenance: 'Observed',
      ClaimedBy: { EmittedEvents: 'Derived' },
      Elements: [{ Id: 'invented', Kind: 'Nonsense' }],
      Edges: [{ FromId: 'a', ToId: 'b' }],
      HasSpecifications: false,
    },
  ],
  Links: [{ FromSlice: 'nowhere' }],
};

describe('a descriptor is read', () => {
  test('as a .NET producer writes it: casing normalised, missing lists empty, computed members dropped', () => {
    const { slices, ...model } = read(fromDotNet);
    expect(model).toEqual({ name: 'Wallets', aggregates: [], hotspots: [] });
    expect(slices[0]).toMatchObject({
      name: 'CreditWallet',
      pattern: 'Command',
      triggerOrigin: { httpMethod: 'POST', httpRoute: '/wallets/{id}/credit', label: null },
      emittedEvents: [{ name: 'WalletCredited', fullName: 'Shop.WalletCredited', assemblyName: 'Shop' }],
      readModelTypes: [],
      specifications: [],
      provenance: 'Observed',
      claimedBy: { EmittedEvents: 'Derived' },
    });
    expect(Object.keys(slices[0] ?? {})).not.toContain('elements');
  });

  test('with enum values in any casing', () => {
    const { slices } = read({ name: 'W', slices: [{ name: 'A', pattern: 'automation', triggerKind: 'JOBSCHEDULER' }] });
    expect(slices[0]).toMatchObject({ pattern: 'Automation', triggerKind: 'JobScheduler' });
  });

  test('with no more than a name', () => {
    expect(read({ name: ' Wallets ' })).toEqual({ name: 'Wallets', slices: [], aggregates: [], hotspots: [] });
  });

  test('and what was read reads the same again', () => {
    expect(read(read(fromDotNet))).toEqual(read(fromDotNet));
  });

  test('a blank text claims nothing', () => {
    expect(read({ name: 'W', slices: [{ name: 'A', domain: ' ', chapter: '' }] }).slices[0]).toMatchObject({
      domain: null,
      chapter: null,
    });
  });
});

describe('an invalid descriptor', () => {
  test('gets all its errors at once, each with its path', () => {
    const found = faults({
      slices: [
        { name: ' ', pattern: 'Reflex', commandType: {} },
        { name: 'B', emittedEvents: [7], claimedBy: { Colour: 'Observed' } },
        { Name: 'B' },
        'C',
      ],
      aggregates: { Wallet: {} },
    });
    expect(found.map(({ path }) => path)).toEqual([
      'name',
      'slices[0].name',
      'slices[0].commandType',
      'slices[0].pattern',
      'slices[1].emittedEvents[0]',
      'slices[1].claimedBy.Colour',
      'slices[2].name',
      'slices[3]',
      'aggregates',
    ]);
    expect(found[6]?.message).toContain('slices[1] already has the name B');
  });

  test.each([[null], [[]], ['text'], [42]])('%j is not a descriptor', (pushed) => {
    expect(faults(pushed)).toHaveLength(1);
  });

  test('a number is not an enum value, because the order of values is not part of the contract', () => {
    expect(faults({ name: 'W', slices: [{ name: 'A', pattern: 1 }] })[0]?.message).toContain('"Command"|"View"');
  });
});

test('a generic or nested type is known by its last name', () => {
  expect(shortName('Shop.Wallets.Credit')).toBe('Credit');
  expect(shortName('Shop.Outer+Inner')).toBe('Inner');
  expect(shortName('Shop.Event`1[[System.String, mscorlib]]')).toBe('Event');
});

test('the schema can be published', () => {
  expect(z.toJSONSchema(pushedDescriptor, { io: 'input' })).toMatchObject({ type: 'object' });
});
