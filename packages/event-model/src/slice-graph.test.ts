import { describe, expect, test } from 'vitest';
import { host, sliceOf, typeOf } from '../testing/wallets.ts';
import { linksOf, sliceGraphOf } from './slice-graph.ts';

const short = (id: string) => id.replace(/^S\//, '').replace(/Shop\./, '');
const edges = (slice: Parameters<typeof sliceOf>[1]) =>
  sliceGraphOf(sliceOf('S', slice)).edges.map(({ fromId, toId }) => `${short(fromId)} > ${short(toId)}`);

describe('the elements of a slice', () => {
  test('come in the order of the lanes, with stable ids', () => {
    const { elements } = sliceGraphOf(
      sliceOf('S', {
        triggerLabel: 'Teller screen',
        commandType: typeOf('Credit'),
        handlerType: typeOf('CreditHandler'),
        aggregateTypes: [typeOf('Wallet')],
        emittedEvents: [typeOf('Credited')],
        publishedMessages: [typeOf('Mail')],
        consumedEvents: [typeOf('Credited'), typeOf('Opened')],
        projectionTypes: [typeOf('Balances')],
        readModelTypes: [typeOf('Balance')],
        readsFrom: [typeOf('Balance'), typeOf('Limit')],
        externalSystems: [
          { name: 'Bank', direction: 'Inbound', endpointUri: null },
          { name: 'Post', direction: 'Outbound', endpointUri: null },
        ],
      }),
    );
    expect(elements.map(({ id, lane }) => `${lane} ${id}`)).toEqual([
      'Wireframe S/Trigger/Teller screen',
      'Wireframe S/ExternalSystem/Bank',
      'Command S/Command/Shop.Credit',
      'Command S/Handler/Shop.CreditHandler',
      'Command S/Aggregate/Shop.Wallet',
      'EventStream S/Event/Shop.Credited',
      'EventStream S/Message/Shop.Mail',
      'EventStream S/Event/Shop.Opened',
      'ReadModel S/Projection/Shop.Balances',
      'ReadModel S/ReadModel/Shop.Balance',
      'ReadModel S/ReadModel/Shop.Limit',
      'Wireframe S/ExternalSystem/Post',
    ]);
  });

  test('a trigger is its type, else its label, else where it comes from', () => {
    const origin = {
      httpRoute: '/w',
      httpMethod: 'POST',
      grpcService: null,
      grpcMethod: null,
      projectionType: null,
      label: null,
    };
    const label = (slice: Parameters<typeof sliceOf>[1]) => sliceGraphOf(sliceOf('S', slice)).elements[0]?.label;
    expect(label({ triggerType: typeOf('T'), triggerLabel: 'L', triggerOrigin: origin })).toBe('T');
    expect(label({ triggerLabel: 'L', triggerOrigin: origin })).toBe('L');
    expect(label({ triggerOrigin: origin })).toBe('POST /w');
    expect(label({ triggerOrigin: { ...origin, label: 'Web' } })).toBe('Web');
    expect(label({ triggerKind: 'Human' })).toBeUndefined();
  });

  test('carry the provenance of their own role', () => {
    const slice = sliceOf('S', {
      commandType: typeOf('C'),
      emittedEvents: [typeOf('E')],
      provenance: 'Declared',
      claimedBy: { EmittedEvents: 'Observed' },
    });
    expect(sliceGraphOf(slice).elements.map(({ kind, provenance }) => [kind, provenance])).toEqual([
      ['Command', 'Declared'],
      ['Event', 'Observed'],
    ]);
  });
});

describe('the edges of a slice', () => {
  test('a command goes through its handler', () => {
    const slice = {
      triggerLabel: 'UI',
      commandType: typeOf('C'),
      handlerType: typeOf('H'),
      aggregateTypes: [typeOf('A')],
      emittedEvents: [typeOf('E')],
    };
    expect(edges(slice)).toEqual([
      'Trigger/UI > Command/C',
      'Command/C > Handler/H',
      'Handler/H > Aggregate/A',
      'Handler/H > Event/E',
    ]);
  });

  test('messages, or else events, leave for outbound systems', () => {
    const out = { externalSystems: [{ name: 'Post', direction: 'Outbound' as const, endpointUri: null }] };
    expect(edges({ ...out, emittedEvents: [typeOf('E')] })).toEqual(['Event/E > ExternalSystem/Post']);
    expect(edges({ ...out, emittedEvents: [typeOf('E')], publishedMessages: [typeOf('M')] })).toEqual([
      'Message/M > ExternalSystem/Post',
    ]);
  });

  test('events become read models through projections, or directly', () => {
    const view = { consumedEvents: [typeOf('E')], readModelTypes: [typeOf('R')] };
    expect(edges(view)).toEqual(['Event/E > ReadModel/R']);
    expect(edges({ ...view, projectionTypes: [typeOf('P')] })).toEqual([
      'Event/E > Projection/P',
      'Projection/P > ReadModel/R',
    ]);
  });

  test('what is read leads to the entry, or else to the trigger', () => {
    expect(edges({ readsFrom: [typeOf('R')], handlerType: typeOf('H') })).toEqual(['ReadModel/R > Handler/H']);
    expect(edges({ readsFrom: [typeOf('R')], triggerLabel: 'UI' })).toEqual(['ReadModel/R > Trigger/UI']);
  });

  test('a view with neither events nor a processor shows its read model on the screen', () => {
    expect(edges({ triggerLabel: 'UI', readModelTypes: [typeOf('R')] })).toEqual(['ReadModel/R > Trigger/UI']);
  });

  test('are limited when everything would be connected to everything', () => {
    const many = (name: string) => Array.from({ length: 200 }, (_, index) => typeOf(`${name}${index}`));
    const { edges } = sliceGraphOf(sliceOf('S', { consumedEvents: many('E'), projectionTypes: many('P') }));
    expect(edges.length).toBe(2000);
  });
});

describe('links between slices', () => {
  test('follow events, messages and read models', () => {
    expect(
      linksOf(host.slices).map(
        ({ fromSlice, toSlice, kind, via }) => `${fromSlice} ${kind} ${toSlice} via ${via.name}`,
      ),
    ).toEqual([
      'OpenWallet EventConsumed WalletBalances via WalletOpened',
      'CreditWallet EventConsumed WalletBalances via WalletCredited',
      'CreditWallet EventTriggers NotifyOwner via WalletCredited',
      'WalletBalances ReadModelRead NotifyOwner via WalletBalance',
    ]);
  });

  test('end at elements that are drawn', () => {
    const drawn = new Set(host.slices.flatMap((slice) => sliceGraphOf(slice).elements.map(({ id }) => id)));
    for (const link of linksOf(host.slices)) {
      expect(drawn).toContain(link.fromElementId);
      expect(drawn).toContain(link.toElementId);
    }
  });

  test('two types with the same short name are distinct if both are known from code', () => {
    const emits = (assembly: string) => sliceOf(`From${assembly}`, { emittedEvents: [typeOf('Paid', assembly)] });
    const consumes = sliceOf('To', { consumedEvents: [typeOf('Paid', 'Shop')] });
    expect(linksOf([emits('Shop'), emits('Bank'), consumes]).map(({ fromSlice }) => fromSlice)).toEqual(['FromShop']);
    expect(linksOf([emits(''), consumes]).map(({ fromSlice }) => fromSlice)).toEqual(['From']);
  });

  test('a shared aggregate is not a link, and no slice links to itself', () => {
    const one = sliceOf('One', {
      aggregateTypes: [typeOf('W')],
      emittedEvents: [typeOf('E')],
      consumedEvents: [typeOf('E')],
    });
    expect(linksOf([one, sliceOf('Two', { aggregateTypes: [typeOf('W')] })])).toEqual([]);
  });

  test('a slice whose command and trigger have the same type is linked once, to its command', () => {
    const effect = sliceOf('To', { commandType: typeOf('E'), triggerType: typeOf('E') });
    const links = linksOf([sliceOf('From', { emittedEvents: [typeOf('E')] }), effect]);
    expect(links.map(({ toElementId }) => toElementId)).toEqual(['To/Command/Shop.E']);
  });
});
