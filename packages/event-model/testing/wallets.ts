import type { Descriptor, Slice, TypeRef } from '../src/contract.ts';
import { pushedDescriptor } from '../src/descriptor.ts';

// A small model from two sources, as teams have it; shared by tests and benchmarks.

export const typeOf = (name: string, assemblyName = 'Shop'): TypeRef => ({
  name,
  fullName: assemblyName === '' ? name : `${assemblyName}.${name}`,
  assemblyName,
});

export const sliceOf = (name: string, rest: Partial<Slice> = {}): Slice => {
  const [slice] = pushedDescriptor.parse({ name: 'x', slices: [{ name, ...rest }] }).slices;
  if (!slice) throw new Error('one slice was parsed, so there is one');
  return slice;
};

export const modelOf = (name: string, slices: readonly Slice[], rest: Partial<Descriptor> = {}): Descriptor => ({
  name,
  slices: [...slices],
  aggregates: [],
  hotspots: [],
  ...rest,
});

/** Pushed by the running service: types, but no specifications. */
export const host: Descriptor = modelOf(
  'Wallets',
  [
    sliceOf('OpenWallet', {
      pattern: 'Command',
      triggerKind: 'Http',
      triggerOrigin: {
        httpRoute: '/wallets',
        httpMethod: 'POST',
        grpcService: null,
        grpcMethod: null,
        projectionType: null,
        label: null,
      },
      commandType: typeOf('OpenWallet'),
      handlerType: typeOf('OpenWalletHandler'),
      aggregateTypes: [typeOf('Wallet')],
      emittedEvents: [typeOf('WalletOpened')],
      provenance: 'Derived',
    }),
    sliceOf('CreditWallet', {
      pattern: 'Command',
      triggerKind: 'Human',
      triggerLabel: 'Teller screen',
      commandType: typeOf('CreditWallet'),
      aggregateTypes: [typeOf('Wallet')],
      emittedEvents: [typeOf('WalletCredited')],
      provenance: 'Observed',
    }),
    sliceOf('WalletBalances', {
      pattern: 'View',
      consumedEvents: [typeOf('WalletOpened'), typeOf('WalletCredited')],
      projectionTypes: [typeOf('BalanceProjection')],
      readModelTypes: [typeOf('WalletBalance')],
      provenance: 'Derived',
    }),
    sliceOf('NotifyOwner', {
      pattern: 'Automation',
      triggerKind: 'MessageHandler',
      triggerType: typeOf('WalletCredited'),
      handlerType: typeOf('NotifyOwnerHandler'),
      readsFrom: [typeOf('WalletBalance')],
      publishedMessages: [typeOf('SendMail')],
      aggregateTypes: [typeOf('Inbox')],
      externalSystems: [{ name: 'Mail', direction: 'Outbound', endpointUri: 'smtp://mail' }],
      provenance: 'Derived',
    }),
  ],
  {
    aggregates: [
      {
        type: typeOf('Wallet'),
        kind: 'WriteAggregate',
        appliedEvents: [typeOf('WalletOpened'), typeOf('WalletCredited')],
      },
    ],
  },
);

/** Pushed by the specification suite: the scenarios of each slice, and the names that people use. */
export const specs: Descriptor = modelOf(
  'Wallets',
  [
    sliceOf('OpenWallet', {
      domain: 'Banking',
      chapter: 'Opening',
      specifications: [{ identity: 'Wallet/opening starts empty', resolvedTypes: [] }],
    }),
    sliceOf('CreditWallet', {
      domain: 'Banking',
      chapter: 'Funding',
      commandType: typeOf('AddFunds', ''),
      specifications: [{ identity: 'Wallet/crediting adds funds', resolvedTypes: [] }],
    }),
    sliceOf('WalletBalances', {
      domain: 'Banking',
      chapter: 'Funding',
      specifications: [{ identity: 'Balances/shows every wallet', resolvedTypes: [typeOf('BalanceQuery')] }],
    }),
  ],
  {
    hotspots: [
      {
        origin: 'Prose',
        text: 'What of closed wallets?',
        specificationIdentity: null,
        role: null,
        winningClaim: null,
        losingClaim: null,
      },
    ],
  },
);
