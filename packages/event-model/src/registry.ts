import { z } from 'zod';
import { commandFor, type Example } from '../../service/src/kernel/command.ts';
import type { DispatchContext } from '../../service/src/kernel/dispatch.ts';
import { Document } from '../../service/src/kernel/document.ts';
import { coverageView, eventModelView, narrowing } from './contract.ts';
import { pushedDescriptor, validateLongLists } from './descriptor.ts';
import type { EventModelQueries } from './queries.ts';
import { sourceName } from './sources.ts';

export type EventModelContext = Pick<DispatchContext, 'yieldIfBusy'> & { eventModel: EventModelQueries };

const command = commandFor<EventModelContext>();
const maxPushBytes = 8 * 1024 * 1024;
const emptyAnswer = z.object({});

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

const given: Example['given'] = [['push_event_model', { source: 'host', document: wallets }]];

const eventModel = command({
  name: 'event_model',
  description:
    'The Event Model merged from all its sources, each slice with its evidence. Narrow it by slice, domain or chapter.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject(narrowing),
  output: eventModelView,
  rest: { method: 'GET', path: '/api/event-model', query: Object.keys(narrowing) },
  examples: [
    { title: 'no model before the first push', input: {}, refused: 'no_event_model' },
    { title: 'the whole model', given, input: {} },
    { title: 'one domain, in any casing', given, input: { domain: 'banking' } },
  ],
  run: ({ eventModel: queries }, narrow) => queries.model(narrow),
});

const sliceCoverage = command({
  name: 'slice_coverage',
  description: 'Which slices of the Event Model the newest test verdicts verify, and which types have drifted from it.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({}),
  output: coverageView,
  rest: { method: 'GET', path: '/api/event-model/coverage' },
  examples: [
    { title: 'no coverage before the first push', input: {}, refused: 'no_event_model' },
    { title: 'which slices are verified', given, input: {} },
  ],
  run: ({ eventModel: queries }) => queries.coverage(),
});

const eventModelDiagram = command({
  name: 'event_model_diagram',
  description: 'The Event Model drawn as SVG, or as Mermaid text. The same model and evidence give the same drawing.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  mcp: false,
  input: z.strictObject({ format: z.string().default('svg').describe('svg or mermaid'), ...narrowing }),
  output: z.instanceof(Document),
  rest: {
    method: 'GET',
    path: '/api/event-model/diagram',
    query: ['format', ...Object.keys(narrowing)],
    responseTypes: ['image/svg+xml', 'text/plain'],
  },
  examples: [
    { title: 'the board as a picture', given, input: { format: 'svg' } },
    { title: 'the board as text for a README', given, input: { format: 'mermaid' } },
    { title: 'a format that does not exist', given, input: { format: 'png' }, refused: 'unknown_format' },
  ],
  run: ({ eventModel: queries }, { format, ...narrow }) => queries.diagram(format, narrow),
});

const write = { effect: 'write', scope: 'publish', gate: 'never', mcp: false, output: emptyAnswer } as const;
const put = {
  method: 'PUT',
  body: 'document',
  anyTextIsJson: true,
  maxBytes: maxPushBytes,
  maxValues: 200_000,
  status: 204,
} as const;

const pushEventModel = command({
  ...write,
  name: 'push_event_model',
  description: 'Replace one source of the event model. Refused while the console serves a model of another name.',
  input: z.strictObject({ source: sourceName, document: pushedDescriptor }),
  prepare: validateLongLists,
  rest: { ...put, path: '/api/event-model/{source}' },
  examples: [
    { title: 'a first source names the model', input: { source: 'host', document: wallets } },
    {
      title: 'another model is refused',
      given,
      input: { source: 'other', document: { name: 'Orders', slices: [] } },
      refused: 'model_name_mismatch',
    },
    { title: 'a model needs a name', input: { source: 'host', document: { slices: [] } }, refused: 'invalid_request' },
    { title: 'a name that contains a path', input: { source: 'a.b', document: wallets }, refused: 'invalid_request' },
  ],
  run: ({ eventModel: queries }, { source, document }) => queries.push(source, document),
});

const pushDefaultEventModel = command({
  ...write,
  name: 'push_default_event_model',
  description: 'Replace the source named default of the event model.',
  input: z.strictObject({ document: pushedDescriptor }),
  prepare: validateLongLists,
  rest: { ...put, path: '/api/event-model' },
  examples: [{ title: 'the source default', input: { document: wallets } }],
  run: ({ eventModel: queries }, { document }) => queries.push('default', document),
});

const removeEventModel = command({
  ...write,
  name: 'remove_event_model',
  description: 'Remove one source of the event model. Removing its last source removes the model and its name.',
  input: z.strictObject({ source: z.string() }),
  rest: { method: 'DELETE', path: '/api/event-model/{source}', status: 204 },
  examples: [
    { title: 'an existing source', given, input: { source: 'host' } },
    { title: 'a source that does not exist', input: { source: 'nobody' } },
    { title: 'an address is not a source', input: { source: 'coverage' }, refused: 'invalid_request' },
  ],
  run: ({ eventModel: queries }, { source }) => queries.remove(source),
});

/** Every command of the event model, with its own name, input and output. */
export const commands = [
  eventModel,
  sliceCoverage,
  eventModelDiagram,
  pushEventModel,
  pushDefaultEventModel,
  removeEventModel,
] as const;
