import { z } from 'zod';
import type { Descriptor, ExternalSystem, Hotspot, Slice, TypeRef } from '../contract.ts';
import { caselessEnum, shortName } from '../descriptor.ts';
import { aggregateKinds, patterns, triggerKinds } from '../vocabulary.ts';

// The format for people without a generator: a type is a string, empty lists may be omitted, and a typo is an error.

/** `Credit`, `Shop.Credit`, or with its assembly `Shop.Credit, Shop`. */
const typeText = z
  .string()
  .trim()
  .regex(/^[^,]+(,[^,]+)?$/, 'write a type as Name, Namespace.Name or Namespace.Name, Assembly')
  .transform((text): TypeRef => {
    const [fullName = '', assemblyName = ''] = text.split(',').map((part) => part.trim());
    return { name: shortName(fullName), fullName, assemblyName };
  });

const text = z.string().trim().min(1, 'must not be blank');
const types = z.array(typeText).default([]);
const texts = z.array(text).default([]);

const trigger = z.union([
  text,
  z.strictObject({
    kind: caselessEnum(triggerKinds).optional(),
    label: text.optional(),
    type: typeText.optional(),
    http: z
      .string()
      .regex(/^[A-Z]+ \S+$/, 'write it as METHOD /route')
      .optional(),
    grpc: z
      .string()
      .regex(/^[^/\s]+\/[^/\s]+$/, 'write it as Service/Method')
      .optional(),
  }),
]);

const systems = z.array(z.union([text, z.strictObject({ name: text, endpoint: text.optional() })])).default([]);

const slice = z.strictObject({
  name: text,
  pattern: caselessEnum(patterns).optional(),
  domain: text.optional(),
  chapter: text.optional(),
  trigger: trigger.optional(),
  command: typeText.optional(),
  handler: typeText.optional(),
  aggregates: types,
  events: types,
  messages: types,
  consumes: types,
  projections: types,
  readModels: types,
  readsFrom: types,
  receivesFrom: systems,
  sendsTo: systems,
  specifications: texts,
  hotspots: texts,
});

const aggregate = z.strictObject({
  type: typeText,
  kind: caselessEnum(aggregateKinds).default('WriteAggregate'),
  applies: types,
});

export const handWritten = z.strictObject({
  model: text,
  source: z.string().optional(),
  aggregates: z.array(aggregate).default([]),
  hotspots: texts,
  slices: z.array(slice),
});

type HandWritten = z.output<typeof handWritten>;
type HandWrittenSlice = HandWritten['slices'][number];

export const descriptorOf = ({ model, aggregates, hotspots, slices }: HandWritten): Descriptor => ({
  name: model,
  slices: slices.map(sliceOf),
  aggregates: aggregates.map(({ type, kind, applies }) => ({ type, kind, appliedEvents: applies })),
  hotspots: hotspots.map(proseHotspot),
});

const sliceOf = (written: HandWrittenSlice): Slice => ({
  name: written.name,
  ...triggerOf(written.trigger),
  commandType: written.command ?? null,
  handlerType: written.handler ?? null,
  emittedEvents: written.events,
  projectionTypes: written.projections,
  readModelTypes: written.readModels,
  pattern: written.pattern ?? null,
  aggregateTypes: written.aggregates,
  publishedMessages: written.messages,
  externalSystems: [
    ...written.receivesFrom.map((system) => externalSystemOf(system, 'Inbound')),
    ...written.sendsTo.map((system) => externalSystemOf(system, 'Outbound')),
  ],
  hotspots: written.hotspots.map(proseHotspot),
  specifications: written.specifications.map((identity) => ({ identity, resolvedTypes: [] })),
  domain: written.domain ?? null,
  consumedEvents: written.consumes,
  readsFrom: written.readsFrom,
  chapter: written.chapter ?? null,
  origin: null,
  provenance: 'Declared',
  claimedBy: {},
});

type Trigger = Pick<Slice, 'triggerLabel' | 'triggerType' | 'triggerKind' | 'triggerOrigin'>;

function triggerOf(given: HandWrittenSlice['trigger']): Trigger {
  if (given === undefined || typeof given === 'string') {
    return { triggerLabel: given ?? null, triggerType: null, triggerKind: null, triggerOrigin: null };
  }
  const [httpMethod = null, httpRoute = null] = given.http?.split(' ') ?? [];
  const [grpcService = null, grpcMethod = null] = given.grpc?.split('/') ?? [];
  const called = given.http !== undefined || given.grpc !== undefined;
  const guessed = given.http !== undefined ? 'Http' : given.grpc !== undefined ? 'Grpc' : null;
  return {
    triggerLabel: given.label ?? null,
    triggerType: given.type ?? null,
    triggerKind: given.kind ?? guessed,
    triggerOrigin: called
      ? { httpRoute, httpMethod, grpcService, grpcMethod, projectionType: null, label: null }
      : null,
  };
}

function externalSystemOf(
  system: string | { name: string; endpoint?: string | undefined },
  direction: 'Inbound' | 'Outbound',
): ExternalSystem {
  const { name, endpoint } = typeof system === 'string' ? { name: system } : system;
  return { name, direction, endpointUri: endpoint ?? null };
}

export const proseHotspot = (text: string): Hotspot => ({
  origin: 'Prose',
  text,
  specificationIdentity: null,
  role: null,
  winningClaim: null,
  losingClaim: null,
});
