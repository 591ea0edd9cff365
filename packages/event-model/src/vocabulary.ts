/** The closed vocabularies of a descriptor, spelled as on the wire. Order matters where noted. */
export const patterns = ['Command', 'View', 'Automation', 'Translation'] as const;
export const triggerKinds = ['Http', 'Grpc', 'MessageHandler', 'JobScheduler', 'Human', 'External'] as const;
export const directions = ['Inbound', 'Outbound'] as const;
export const aggregateKinds = ['WriteAggregate', 'ReadAggregate', 'ConsistentAggregate', 'BoundaryModel'] as const;
export const hotspotOrigins = ['PendingSpecification', 'Prose', 'SourceDisagreement'] as const;

/** From the weakest claim to the strongest. */
export const provenances = ['Declared', 'Derived', 'Observed'] as const;

/** The rows of a drawing, from top to bottom. */
export const diagramLanes = ['Wireframe', 'Command', 'EventStream', 'ReadModel'] as const;

export const elementKinds = [
  'Trigger',
  'Command',
  'Handler',
  'Aggregate',
  'Event',
  'Message',
  'Projection',
  'ReadModel',
  'ExternalSystem',
  'Hotspot',
] as const;

/** Links between the same two slices are sorted in this order. */
export const linkKinds = ['EventTriggers', 'MessageTriggers', 'EventConsumed', 'ReadModelRead'] as const;

/** The claims that a source can make about a slice. Each claim has its own provenance. */
export const roles = [
  'TriggerLabel',
  'TriggerType',
  'TriggerKind',
  'TriggerOrigin',
  'Pattern',
  'CommandType',
  'HandlerType',
  'AggregateTypes',
  'EmittedEvents',
  'PublishedMessages',
  'ProjectionTypes',
  'ReadModelTypes',
  'ExternalSystems',
  'Hotspots',
  'Specifications',
  'Domain',
  'ConsumedEvents',
  'ReadsFrom',
  'Chapter',
  'Origin',
] as const;

export const verdictOutcomes = ['CleanPass', 'PassOnRetry', 'Failed', 'Aborted'] as const;
export const evidenceStates = ['verified', 'failing', 'noEvidence', 'noSpec'] as const;

export type Provenance = (typeof provenances)[number];
export type Role = (typeof roles)[number];
export type ElementKind = (typeof elementKinds)[number];
export type DiagramLane = (typeof diagramLanes)[number];
export type LinkKind = (typeof linkKinds)[number];
export type VerdictOutcome = (typeof verdictOutcomes)[number];
export const isVerdictOutcome = (value: unknown): value is VerdictOutcome =>
  verdictOutcomes.some((outcome) => outcome === value);
export type EvidenceState = (typeof evidenceStates)[number];
