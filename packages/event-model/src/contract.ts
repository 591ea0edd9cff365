import { z } from 'zod';
import {
  aggregateKinds,
  diagramLanes,
  directions,
  elementKinds,
  evidenceStates,
  hotspotOrigins,
  linkKinds,
  patterns,
  provenances,
  roles,
  triggerKinds,
  verdictOutcomes,
} from './vocabulary.ts';

/** A type in code. With an empty `assemblyName` it was only declared, and its full name is a guess. */
export const typeRef = z.object({ name: z.string(), fullName: z.string(), assemblyName: z.string() });

export const triggerOrigin = z.object({
  httpRoute: z.string().nullable(),
  httpMethod: z.string().nullable(),
  grpcService: z.string().nullable(),
  grpcMethod: z.string().nullable(),
  projectionType: typeRef.nullable(),
  label: z.string().nullable(),
});

const claim = z.object({ provenance: z.enum(provenances), value: z.string(), source: z.string().nullable() });

export const hotspot = z.object({
  origin: z.enum(hotspotOrigins),
  text: z.string(),
  specificationIdentity: z.string().nullable(),
  role: z.enum(roles).nullable(),
  winningClaim: claim.nullable(),
  losingClaim: claim.nullable(),
});

/** `identity` is the uid of the scenario that verifies the slice, `Feature/Scenario`. */
export const specification = z.object({ identity: z.string(), resolvedTypes: z.array(typeRef) });

export const externalSystem = z.object({
  name: z.string(),
  direction: z.enum(directions),
  endpointUri: z.string().nullable(),
});

export const aggregate = z.object({ type: typeRef, kind: z.enum(aggregateKinds), appliedEvents: z.array(typeRef) });

export const slice = z.object({
  name: z.string(),
  triggerLabel: z.string().nullable(),
  triggerType: typeRef.nullable(),
  commandType: typeRef.nullable(),
  handlerType: typeRef.nullable(),
  emittedEvents: z.array(typeRef),
  projectionTypes: z.array(typeRef),
  readModelTypes: z.array(typeRef),
  pattern: z.enum(patterns).nullable(),
  triggerKind: z.enum(triggerKinds).nullable(),
  triggerOrigin: triggerOrigin.nullable(),
  aggregateTypes: z.array(typeRef),
  publishedMessages: z.array(typeRef),
  externalSystems: z.array(externalSystem),
  hotspots: z.array(hotspot),
  specifications: z.array(specification),
  domain: z.string().nullable(),
  consumedEvents: z.array(typeRef),
  readsFrom: z.array(typeRef),
  chapter: z.string().nullable(),
  origin: z.string().nullable(),
  provenance: z.enum(provenances).nullable(),
  claimedBy: z.partialRecord(z.enum(roles), z.enum(provenances)),
});

/** A pushed source after normalisation, and the merged model before anything is computed from it. */
export const descriptor = z.object({
  name: z.string(),
  slices: z.array(slice),
  aggregates: z.array(aggregate),
  hotspots: z.array(hotspot),
});

export const element = z.object({
  id: z.string(),
  kind: z.enum(elementKinds),
  lane: z.enum(diagramLanes),
  label: z.string(),
  type: typeRef.nullable(),
  provenance: z.enum(provenances).nullable(),
});

export const edge = z.object({ fromId: z.string(), toId: z.string() });

export const link = z.object({
  fromSlice: z.string(),
  fromElementId: z.string(),
  toSlice: z.string(),
  toElementId: z.string(),
  kind: z.enum(linkKinds),
  via: typeRef,
});

export const evidence = z.object({
  state: z.enum(evidenceStates),
  specifications: z.array(
    z.object({
      identity: z.string(),
      outcome: z.enum(verdictOutcomes).nullable(),
      at: z.string().nullable(),
      runId: z.string().nullable(),
    }),
  ),
});

export const sourceView = z.object({ source: z.string(), pushedAt: z.string(), slices: z.int() });

export const sliceView = slice.extend({ elements: z.array(element), edges: z.array(edge), evidence });

export const eventModelView = descriptor.extend({
  slices: z.array(sliceView),
  links: z.array(link),
  sources: z.array(sourceView),
});

const driftedType = typeRef.extend({ slices: z.array(z.string()) });

export const coverageView = z.object({
  model: z.string(),
  summary: z.object({
    slices: z.int(),
    verified: z.int(),
    failing: z.int(),
    noEvidence: z.int(),
    noSpec: z.int(),
  }),
  slices: z.array(
    z.object({
      name: z.string(),
      domain: z.string().nullable(),
      chapter: z.string().nullable(),
      pattern: z.enum(patterns).nullable(),
      evidence,
    }),
  ),
  drift: z.object({ undeclared: z.array(driftedType), untouched: z.array(driftedType) }),
});

/** Case-insensitive filters of a model. */
export const narrowing = {
  slice: z.string().optional().describe('Only the slice of this name'),
  domain: z.string().optional().describe('Only slices of this domain'),
  chapter: z.string().optional().describe('Only slices of this chapter'),
};

export type TypeRef = z.infer<typeof typeRef>;
export type Hotspot = z.infer<typeof hotspot>;
export type Specification = z.infer<typeof specification>;
export type ExternalSystem = z.infer<typeof externalSystem>;
export type Aggregate = z.infer<typeof aggregate>;
export type Slice = z.infer<typeof slice>;
export type Descriptor = z.infer<typeof descriptor>;
export type Element = z.infer<typeof element>;
export type Edge = z.infer<typeof edge>;
export type Link = z.infer<typeof link>;
export type Evidence = z.infer<typeof evidence>;
export type SliceView = z.infer<typeof sliceView>;
export type EventModelView = z.infer<typeof eventModelView>;
export type CoverageView = z.infer<typeof coverageView>;
export type DriftedType = z.infer<typeof driftedType>;
export type Narrowing = { slice?: string | undefined; domain?: string | undefined; chapter?: string | undefined };

/** One source as it is stored. */
export type StoredSource = { source: string; pushedAt: string; descriptor: Descriptor };
