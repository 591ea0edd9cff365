import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findingsOf, type LocatedFault, type ReadSource, readSource } from './model-file.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (text: string, model?: string): ReadSource => {
  const answer = readSource(text, model);
  if (Array.isArray(answer)) throw new Error(JSON.stringify(answer));
  return answer;
};
const faults = (text: string, model?: string) => readSource(text, model) as LocatedFault[];

describe('a model written by hand', () => {
  test('the example in the repository is read completely', () => {
    const { format, source, descriptor } = read(readFileSync(join(root, 'examples/event-model.yaml'), 'utf8'));
    expect([format, source, descriptor.name, descriptor.slices.length]).toEqual([
      'hand-written',
      'design',
      'Wallets',
      5,
    ]);
    expect(descriptor.slices[1]).toMatchObject({
      triggerKind: 'Http',
      triggerOrigin: { httpMethod: 'POST', httpRoute: '/wallets/{id}/credits' },
      commandType: { name: 'CreditWallet', fullName: 'CreditWallet', assemblyName: '' },
      externalSystems: [{ name: 'Card network', direction: 'Inbound', endpointUri: 'https://cards.example' }],
      provenance: 'Declared',
    });
    expect(findingsOf(descriptor).map(({ slice, text }) => `${slice} ${text}`)).toEqual([
      'Close a wallet has no specification, so no run can verify it',
    ]);
  });

  test('the guide shows the example as it is', () => {
    const guide = readFileSync(join(root, 'docs/guides/event-model.md'), 'utf8');
    expect(guide).toContain(readFileSync(join(root, 'examples/event-model.yaml'), 'utf8'));
  });

  test('a type may name its namespace and its assembly', () => {
    const { descriptor } = read('model: W\nslices: [{ name: S, command: "Shop.Credit, Shop.Core" }]');
    expect(descriptor.slices[0]?.commandType).toEqual({
      name: 'Credit',
      fullName: 'Shop.Credit',
      assemblyName: 'Shop.Core',
    });
  });

  test('a typo is reported with its line and the likely word', () => {
    expect(faults('model: W\nslices:\n  - name: S\n    comand: Credit\n    pattern: Reflex\n')).toEqual([
      { path: 'slices[0].pattern', message: 'expected one of "Command"|"View"|"Automation"|"Translation"', line: 5 },
      { path: 'slices[0].comand', message: 'unknown member; did you mean command?', line: 4 },
    ]);
  });

  test('two slices with one name are reported with their line', () => {
    const [fault] = faults('model: W\nslices:\n  - name: S\n  - name: S\n');
    expect(fault).toMatchObject({
      path: 'slices[1].name',
      line: 4,
      message: expect.stringContaining('slices[0] already has the name S'),
    });
  });

  test('invalid YAML is reported with its line, and an alias bomb is refused', () => {
    expect(faults('model: W\nslices: [')[0]?.line).toBe(2);
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'])
      bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]`);
    expect(faults(bomb.join('\n'))[0]?.message).toContain('aliases expand');
  });

  test('a file that is not an object is refused with the expected shape', () => {
    expect(faults('- a\n- b')[0]?.message).toContain('an object with a model');
  });
});

test('a descriptor reads as it is pushed', () => {
  const { format, descriptor } = read(JSON.stringify({ Name: 'W', Slices: [{ Name: 'S' }] }));
  expect([format, descriptor.slices[0]?.name]).toEqual(['descriptor', 'S']);
});

describe('a board of the eventmodelers tooling', () => {
  const board = JSON.stringify({
    slices: [
      {
        id: '2',
        title: 'slice: Cart items',
        index: 2,
        sliceType: 'STATE_VIEW',
        context: 'Shop',
        commands: [],
        events: [],
        readmodels: [
          {
            id: 'r',
            title: 'cart items',
            type: 'READMODEL',
            fields: [],
            dependencies: [{ id: 'e', type: 'INBOUND', title: 'Item Added', elementType: 'EVENT' }],
          },
        ],
        screens: [],
        processors: [],
        specifications: [],
      },
      {
        id: '1',
        title: 'Add item',
        index: 1,
        sliceType: 'STATE_CHANGE',
        context: 'Shop',
        aggregates: ['Cart', 'default'],
        commands: [
          {
            title: 'Add Item',
            type: 'COMMAND',
            dependencies: [{ type: 'OUTBOUND', title: 'Item Added', elementType: 'EVENT' }],
          },
        ],
        events: [
          { title: 'Item Added', type: 'EVENT' },
          { title: 'Price Changed', type: 'EVENT', context: 'EXTERNAL' },
        ],
        screens: [{ title: 'Cart page', type: 'SCREEN' }],
        specifications: [{ id: 's', title: 'adds to an empty cart', given: [] }],
      },
    ],
  });

  test('becomes slices in the order of the board, its titles types', () => {
    const { format, descriptor } = read(board, 'Shop');
    expect([format, descriptor.name, descriptor.slices.map(({ name }) => name)]).toEqual([
      'eventmodelers',
      'Shop',
      ['Add item', 'Cart items'],
    ]);
    const [add, view] = descriptor.slices;
    expect(add).toMatchObject({
      pattern: 'Command',
      triggerLabel: 'Cart page',
      triggerKind: 'Human',
      commandType: { name: 'AddItem' },
      emittedEvents: [{ name: 'ItemAdded' }],
      consumedEvents: [{ name: 'PriceChanged' }],
      aggregateTypes: [{ name: 'Cart' }],
      domain: 'Shop',
      specifications: [{ identity: 'Add item/adds to an empty cart' }],
    });
    expect(view).toMatchObject({
      pattern: 'View',
      consumedEvents: [{ name: 'ItemAdded' }],
      readModelTypes: [{ name: 'CartItems' }],
    });
  });

  test('has no model name of its own, so one must be given', () => {
    expect(faults(board)[0]?.message).toContain('--model NAME');
  });
});
