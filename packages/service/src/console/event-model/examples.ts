import type { Example } from '../../kernel/command.ts';

const wallets = {
  name: 'Wallets',
  slices: [
    {
      name: 'CreditWallet',
      domain: 'Banking',
      chapter: 'Funding',
      pattern: 'Command',
      triggerKind: 'Human',
      triggerLabel: 'Teller screen',
      commandType: { name: 'CreditWallet', fullName: 'Shop.CreditWallet', assemblyName: 'Shop' },
      emittedEvents: [{ name: 'WalletCredited', fullName: 'Shop.WalletCredited', assemblyName: 'Shop' }],
      specifications: [{ identity: 'Wallet/crediting adds funds', resolvedTypes: [] }],
    },
  ],
  aggregates: [],
  hotspots: [],
};

const given = [['push_event_model', { source: 'host', document: wallets }]] as const;

export const eventModel: readonly Example[] = [
  { title: 'before any push there is no model', input: {}, refused: 'no_event_model' },
  { title: 'the whole model', given, input: {} },
  { title: 'one domain, in any casing', given, input: { domain: 'banking' } },
];

export const sliceCoverage: readonly Example[] = [
  { title: 'before any push there is nothing to cover', input: {}, refused: 'no_event_model' },
  { title: 'which slices are verified', given, input: {} },
];

export const eventModelDiagram: readonly Example[] = [
  { title: 'the board as a picture', given, input: { format: 'svg' } },
  { title: 'the board as text for a README', given, input: { format: 'mermaid' } },
  { title: 'a format that does not exist', given, input: { format: 'png' }, refused: 'unknown_format' },
];

export const pushEventModel: readonly Example[] = [
  { title: 'a first source names the model', input: { source: 'host', document: wallets } },
  {
    title: 'another model is refused',
    given,
    input: { source: 'other', document: { name: 'Orders', slices: [] } },
    refused: 'model_name_mismatch',
  },
  { title: 'a model needs a name', input: { source: 'host', document: { slices: [] } }, refused: 'invalid_request' },
  { title: 'a name with a path in it', input: { source: 'a.b', document: wallets }, refused: 'invalid_request' },
];

export const pushDefaultEventModel: readonly Example[] = [
  { title: 'the source default', input: { document: wallets } },
];

export const removeEventModel: readonly Example[] = [
  { title: 'a source that is there', given, input: { source: 'host' } },
  { title: 'a source that is not', input: { source: 'nobody' } },
  { title: 'an address is not a source', input: { source: 'coverage' }, refused: 'invalid_request' },
];
