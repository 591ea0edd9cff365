import { z } from 'zod';
import type { Announcements } from '../../kernel/announce.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { coverageView, type Descriptor, eventModelView, narrowing } from './contract.ts';
import { coverageOf } from './coverage.ts';
import { isRoute, sourceName } from './decide.ts';
import { pushedDescriptor } from './descriptor.ts';
import { diagramOf } from './diagram/diagram.ts';
import * as examples from './examples.ts';
import type { Verdicts } from './ports.ts';
import type { Sources } from './sources.ts';
import { viewOf } from './view.ts';

export type EventModelContext = {
  eventModel: Sources;
  verdicts: Verdicts;
  announcements: Announcements;
  clock: Clock;
};

const command = commandFor<EventModelContext>();
const eightMebibytes = 8 * 1024 * 1024;
const nothing = z.object({});

const noModel = (): Refusal =>
  refuse('no_event_model', 'No source has pushed an event model yet. PUT one to /api/event-model/{source}.');

export const eventModel = command({
  name: 'event_model',
  says: 'The Event Model merged from all its sources, each slice with its evidence. Narrow it by slice, domain or chapter.',
  effect: 'read',
  gate: 'relay',
  input: z.strictObject(narrowing),
  output: eventModelView,
  rest: { method: 'GET', path: '/api/event-model', query: Object.keys(narrowing) },
  examples: examples.eventModel,
  run({ eventModel: sources, verdicts }, narrow) {
    const current = sources.current();
    return current ? viewOf(current, verdicts, narrow) : noModel();
  },
});

export const sliceCoverage = command({
  name: 'slice_coverage',
  says: 'Which slices of the Event Model the newest test verdicts verify, and which types have drifted from it.',
  effect: 'read',
  gate: 'relay',
  input: z.strictObject({}),
  output: coverageView,
  rest: { method: 'GET', path: '/api/event-model/coverage' },
  examples: examples.sliceCoverage,
  run({ eventModel: sources, verdicts }) {
    const current = sources.current();
    return current ? coverageOf(current.model, verdicts) : noModel();
  },
});

export const eventModelDiagram = command({
  name: 'event_model_diagram',
  says: 'The Event Model drawn as SVG, or as Mermaid text. The same model and evidence give the same drawing.',
  effect: 'read',
  gate: 'relay',
  mcp: false,
  input: z.strictObject({ format: z.string().default('svg').describe('svg or mermaid'), ...narrowing }),
  output: z.instanceof(Document),
  rest: { method: 'GET', path: '/api/event-model/diagram', query: ['format', ...Object.keys(narrowing)] },
  examples: examples.eventModelDiagram,
  run({ eventModel: sources, verdicts }, { format, ...narrow }) {
    const draw = diagramOf(format);
    if (isRefusal(draw)) return draw;
    const current = sources.current();
    return current ? draw(viewOf(current, verdicts, narrow)) : noModel();
  },
});

const push = {
  effect: 'write',
  gate: 'never',
  mcp: false,
  output: nothing,
} as const;
const pushed = { method: 'PUT', body: 'document', limit: eightMebibytes, status: () => 204 } as const;

export const pushEventModel = command({
  ...push,
  name: 'push_event_model',
  says: 'Replace what one source says about the Event Model. Refused while the console serves a model of another name.',
  input: z.strictObject({ source: sourceName, document: pushedDescriptor }),
  rest: { ...pushed, path: '/api/event-model/{source}' },
  examples: examples.pushEventModel,
  run: (ctx, { source, document }) => replace(ctx, source, document),
});

export const pushDefaultEventModel = command({
  ...push,
  name: 'push_default_event_model',
  says: 'Replace what the source named default says about the Event Model.',
  input: z.strictObject({ document: pushedDescriptor }),
  rest: { ...pushed, path: '/api/event-model' },
  examples: examples.pushDefaultEventModel,
  run: (ctx, { document }) => replace(ctx, 'default', document),
});

export const removeEventModel = command({
  name: 'remove_event_model',
  says: 'Take one source out of the Event Model; without its last source the model, and its name, are gone.',
  effect: 'write',
  gate: 'never',
  mcp: false,
  input: z.strictObject({ source: z.string() }),
  output: nothing,
  rest: { method: 'DELETE', path: '/api/event-model/{source}', status: () => 204 },
  examples: examples.removeEventModel,
  async run(ctx, { source }) {
    if (isRoute(source)) return refuseShape([{ path: 'source', message: `${source} is not a source` }]);
    if (!sourceName.safeParse(source).success) return refuse('not_found', 'No source can have this name.');
    return announced(ctx, await ctx.eventModel.remove(source));
  },
});

async function replace(ctx: EventModelContext, source: string, descriptor: Descriptor) {
  return announced(ctx, await ctx.eventModel.push({ source, descriptor, pushedAt: iso(ctx.clock.wall()) }));
}

function announced(ctx: EventModelContext, done: Refusal | { name: string } | null): Refusal | Record<string, never> {
  if (isRefusal(done)) return done;
  if (done) {
    ctx.announcements.announce({ type: 'event_model_changed', subject: done.name, data: { name: done.name } });
  }
  return {};
}

export const commands = [
  eventModel,
  sliceCoverage,
  eventModelDiagram,
  pushEventModel,
  pushDefaultEventModel,
  removeEventModel,
] as const;
