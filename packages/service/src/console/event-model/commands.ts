import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import { Document } from '../../kernel/document.ts';
import { coverageView, eventModelView, narrowing } from './contract.ts';
import { sourceName } from './decide.ts';
import { pushedDescriptor } from './descriptor.ts';
import { withListsRead } from './descriptor-input.ts';
import type { EventModelQueries } from './event-model-queries.ts';
import * as examples from './examples.ts';

export type EventModelContext = Pick<DispatchContext, 'waitForTurn'> & { eventModel: EventModelQueries };

const command = commandFor<EventModelContext>();
const eightMebibytes = 8 * 1024 * 1024;
const nothing = z.object({});

export const eventModel = command({
  name: 'event_model',
  description:
    'The Event Model merged from all its sources, each slice with its evidence. Narrow it by slice, domain or chapter.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject(narrowing),
  output: eventModelView,
  rest: { method: 'GET', path: '/api/event-model', query: Object.keys(narrowing) },
  examples: examples.eventModel,
  run: ({ eventModel: queries }, narrow) => queries.model(narrow),
});

export const sliceCoverage = command({
  name: 'slice_coverage',
  description: 'Which slices of the Event Model the newest test verdicts verify, and which types have drifted from it.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({}),
  output: coverageView,
  rest: { method: 'GET', path: '/api/event-model/coverage' },
  examples: examples.sliceCoverage,
  run: ({ eventModel: queries }) => queries.coverage(),
});

export const eventModelDiagram = command({
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
    answers: ['image/svg+xml', 'text/plain'],
  },
  examples: examples.eventModelDiagram,
  run: ({ eventModel: queries }, { format, ...narrow }) => queries.diagram(format, narrow),
});

const push = {
  effect: 'write',
  scope: 'publish',
  gate: 'never',
  mcp: false,
  output: nothing,
} as const;
const pushed = { method: 'PUT', body: 'document', limit: eightMebibytes, values: 200_000, status: () => 204 } as const;

export const pushEventModel = command({
  ...push,
  name: 'push_event_model',
  description: 'Replace one source of the event model. Refused while the console serves a model of another name.',
  input: z.strictObject({ source: sourceName, document: pushedDescriptor }),
  prepare: withListsRead,
  rest: { ...pushed, path: '/api/event-model/{source}' },
  examples: examples.pushEventModel,
  run: ({ eventModel: queries }, { source, document }) => queries.push(source, document),
});

export const pushDefaultEventModel = command({
  ...push,
  name: 'push_default_event_model',
  description: 'Replace the source named default of the event model.',
  input: z.strictObject({ document: pushedDescriptor }),
  prepare: withListsRead,
  rest: { ...pushed, path: '/api/event-model' },
  examples: examples.pushDefaultEventModel,
  run: ({ eventModel: queries }, { document }) => queries.push('default', document),
});

export const removeEventModel = command({
  name: 'remove_event_model',
  description: 'Take one source out of the Event Model; without its last source the model, and its name, are gone.',
  effect: 'write',
  scope: 'publish',
  gate: 'never',
  mcp: false,
  input: z.strictObject({ source: z.string() }),
  output: nothing,
  rest: { method: 'DELETE', path: '/api/event-model/{source}', status: () => 204 },
  examples: examples.removeEventModel,
  run: ({ eventModel: queries }, { source }) => queries.remove(source),
});

export const commands = [
  eventModel,
  sliceCoverage,
  eventModelDiagram,
  pushEventModel,
  pushDefaultEventModel,
  removeEventModel,
] as const;
