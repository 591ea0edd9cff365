import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { age } from './aged-list.ts';
import { modelView, narrowing, sliceCoverageView } from './model-contract.ts';
import type { ModelSource } from './ports.ts';

export type ModelContext = { models: ModelSource };

const command = commandFor<ModelContext>();
const beforeAnyPush = { title: 'before any push', input: {}, refused: 'no_event_model' } as const;

const eventModel = command({
  name: 'event_model',
  description: 'The event model merged from its sources, each slice with its evidence.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject(narrowing),
  output: modelView,
  rest: { method: 'GET', path: '/api/event-model', query: Object.keys(narrowing), headers: age },
  examples: [beforeAnyPush],
  run: ({ models }, narrow) => models.model(narrow),
});

const sliceCoverage = command({
  name: 'slice_coverage',
  description: 'Event model slices verified by tests, and types that drifted.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({}),
  output: sliceCoverageView,
  rest: { method: 'GET', path: '/api/event-model/coverage', headers: age },
  examples: [beforeAnyPush],
  run: ({ models }) => models.coverage(),
});

const diagram = command({
  name: 'event_model_diagram',
  description: 'The Event Model drawn as SVG or Mermaid.',
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
  examples: [beforeAnyPush],
  run: ({ models }, { format, ...narrow }) => models.diagram(format, narrow),
});

export const modelCommands = [eventModel, sliceCoverage, diagram];
