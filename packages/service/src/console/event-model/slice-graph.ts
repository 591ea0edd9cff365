import type { Edge, Element, Slice, TypeRef } from './contract.ts';
import type { DiagramLane, ElementKind, Role } from './vocabulary.ts';

const laneOf: Record<ElementKind, DiagramLane> = {
  Trigger: 'Wireframe',
  ExternalSystem: 'Wireframe',
  Hotspot: 'Wireframe',
  Command: 'Command',
  Handler: 'Command',
  Aggregate: 'Command',
  Event: 'EventStream',
  Message: 'EventStream',
  Projection: 'ReadModel',
  ReadModel: 'ReadModel',
};

/** A slice with many events and many projections would draw their product; past this nobody can read it anyway. */
const mostEdges = 2000;

export const elementId = (slice: string, kind: ElementKind, name: string): string => `${slice}/${kind}/${name}`;

export type SliceGraph = { elements: Element[]; edges: Edge[] };

/** What a slice draws and how it hangs together; always computed, never taken from a push. */
export function sliceGraphOf(slice: Slice): SliceGraph {
  const parts = sliceElementsOf(slice);
  const byId = new Map(parts.all.map((element) => [element.id, element]));
  return { elements: [...byId.values()], edges: edgesOf(parts) };
}

type SliceElements = ReturnType<typeof sliceElementsOf>;

function sliceElementsOf(slice: Slice) {
  const ofType = (kind: ElementKind, role: Role) => (type: TypeRef) =>
    element(slice, kind, { name: type.fullName, label: type.name, type, role });
  const ofText = (kind: ElementKind, role: Role) => (text: string) =>
    element(slice, kind, { name: text, label: text, type: null, role });
  const maybe = (type: TypeRef | null, make: (type: TypeRef) => Element) => (type ? [make(type)] : []);
  const systems = (direction: 'Inbound' | 'Outbound') =>
    slice.externalSystems
      .filter((system) => system.direction === direction)
      .map((system) => ofText('ExternalSystem', 'ExternalSystems')(system.name));
  const without = (given: readonly TypeRef[], excluded: readonly TypeRef[]) => {
    const names = new Set(excluded.map((type) => type.fullName));
    return given.filter((type) => !names.has(type.fullName));
  };

  const trigger = triggerOf(slice);
  const inbound = systems('Inbound');
  const hotspots = slice.hotspots.map((hotspot) => ofText('Hotspot', 'Hotspots')(hotspot.text));
  const command = maybe(slice.commandType, ofType('Command', 'CommandType'));
  const handler = maybe(slice.handlerType, ofType('Handler', 'HandlerType'));
  const aggregates = slice.aggregateTypes.map(ofType('Aggregate', 'AggregateTypes'));
  const emitted = slice.emittedEvents.map(ofType('Event', 'EmittedEvents'));
  const messages = slice.publishedMessages.map(ofType('Message', 'PublishedMessages'));
  const consumed = without(slice.consumedEvents, slice.emittedEvents).map(ofType('Event', 'ConsumedEvents'));
  const projections = slice.projectionTypes.map(ofType('Projection', 'ProjectionTypes'));
  const readModels = slice.readModelTypes.map(ofType('ReadModel', 'ReadModelTypes'));
  const readsFrom = slice.readsFrom.map(ofType('ReadModel', 'ReadsFrom'));
  const read = without(slice.readsFrom, slice.readModelTypes).map(ofType('ReadModel', 'ReadsFrom'));
  const outbound = systems('Outbound');
  const top = [...trigger, ...inbound, ...hotspots, ...command, ...handler, ...aggregates];
  const all = [...top, ...emitted, ...messages, ...consumed, ...projections, ...readModels, ...read, ...outbound];
  return {
    all,
    trigger,
    inbound,
    command,
    handler,
    aggregates,
    emitted,
    messages,
    consumed,
    projections,
    readModels,
    readsFrom,
    outbound,
  };
}

type ElementSource = { name: string; label: string; type: TypeRef | null; role: Role };

const element = (slice: Slice, kind: ElementKind, { name, label, type, role }: ElementSource): Element => ({
  id: elementId(slice.name, kind, name),
  kind,
  lane: laneOf[kind],
  label,
  type,
  provenance: slice.claimedBy[role] ?? slice.provenance,
});

function triggerOf(slice: Slice): Element[] {
  const { triggerType: type, triggerLabel, triggerOrigin } = slice;
  if (type) return [element(slice, 'Trigger', { name: type.fullName, label: type.name, type, role: 'TriggerType' })];
  if (triggerLabel)
    return [element(slice, 'Trigger', { name: triggerLabel, label: triggerLabel, type, role: 'TriggerLabel' })];
  const label = triggerOrigin && originLabel(triggerOrigin);
  return label ? [element(slice, 'Trigger', { name: label, label, type, role: 'TriggerOrigin' })] : [];
}

function originLabel(origin: NonNullable<Slice['triggerOrigin']>): string | null {
  if (origin.label) return origin.label;
  if (origin.httpRoute) return origin.httpMethod ? `${origin.httpMethod} ${origin.httpRoute}` : origin.httpRoute;
  if (origin.grpcService) return origin.grpcMethod ? `${origin.grpcService}/${origin.grpcMethod}` : origin.grpcService;
  return origin.projectionType?.name ?? null;
}

/** Entry is what the outside calls, processor is what does the work: command then handler, or whichever is there. */
function edgesOf(parts: SliceElements): Edge[] {
  const { trigger, inbound, command, handler, aggregates, emitted, messages, consumed } = parts;
  const entry = (command.length > 0 ? command : handler).slice(0, 1);
  const processor = (handler.length > 0 ? handler : command).slice(0, 1);
  const events = [...emitted, ...consumed];
  const pairs: [readonly Element[], readonly Element[]][] = [
    [trigger, entry],
    [inbound, entry],
    [command, handler],
    [processor, [...aggregates, ...emitted, ...messages]],
    [messages.length > 0 ? messages : emitted, parts.outbound],
    ...(parts.projections.length > 0
      ? ([
          [events, parts.projections],
          [parts.projections, parts.readModels],
        ] as [Element[], Element[]][])
      : ([[events, parts.readModels]] as [Element[], Element[]][])),
    [parts.readsFrom, entry.length > 0 ? entry : trigger],
  ];
  if (events.length === 0 && processor.length === 0) pairs.push([parts.readModels, trigger]);
  return connect(pairs);
}

function connect(pairs: readonly [readonly Element[], readonly Element[]][]): Edge[] {
  const edges = new Map<string, Edge>();
  for (const [from, to] of pairs) {
    for (const { id: fromId } of from) {
      for (const { id: toId } of to) {
        if (edges.size >= mostEdges) return [...edges.values()];
        if (fromId !== toId) edges.set(JSON.stringify([fromId, toId]), { fromId, toId });
      }
    }
  }
  return [...edges.values()];
}
