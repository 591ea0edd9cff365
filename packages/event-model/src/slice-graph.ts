import { runNow, type Task } from '../../service/src/event-loop/task.ts';
import type { Edge, Element, Link, Slice, TypeRef } from './contract.ts';
import { order, type TypeIndex, typeIndex } from './types.ts';
import { type DiagramLane, type ElementKind, type LinkKind, linkKinds, type Role } from './vocabulary.ts';

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

/** Many events and many projections would draw every pair; more edges than this are unreadable. */
const maxEdges = 2000;

export const elementId = (slice: string, kind: ElementKind, name: string): string => `${slice}/${kind}/${name}`;

export type SliceGraph = { elements: Element[]; edges: Edge[] };

/** The elements of a slice and the edges between them. Always computed; those in a push are ignored. */
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

/** The entry is called from outside: the command, else the handler. The processor does the work: the handler, else the command. */
type Pair = [readonly Element[], readonly Element[]];

function edgesOf(parts: SliceElements): Edge[] {
  const { trigger, inbound, command, handler, aggregates, emitted, messages, consumed } = parts;
  const entry = (command.length > 0 ? command : handler).slice(0, 1);
  const processor = (handler.length > 0 ? handler : command).slice(0, 1);
  const events = [...emitted, ...consumed];
  const readPairs: Pair[] =
    parts.projections.length === 0
      ? [[events, parts.readModels]]
      : [
          [events, parts.projections],
          [parts.projections, parts.readModels],
        ];
  const pairs: Pair[] = [
    [trigger, entry],
    [inbound, entry],
    [command, handler],
    [processor, [...aggregates, ...emitted, ...messages]],
    [messages.length > 0 ? messages : emitted, parts.outbound],
    ...readPairs,
    [parts.readsFrom, entry.length > 0 ? entry : trigger],
  ];
  if (events.length === 0 && processor.length === 0) pairs.push([parts.readModels, trigger]);
  return connect(pairs);
}

function connect(pairs: readonly Pair[]): Edge[] {
  const edges = new Map<string, Edge>();
  for (const [from, to] of pairs) {
    for (const { id: fromId } of from) {
      for (const { id: toId } of to) {
        if (edges.size >= maxEdges) return [...edges.values()];
        if (fromId !== toId) edges.set(JSON.stringify([fromId, toId]), { fromId, toId });
      }
    }
  }
  return [...edges.values()];
}

/** Thousands of slices that share one event would link every pair; more links than this are unreadable. */
const maxLinks = 20_000;

type LinkEnd = { index: number; elementId: string };
type IndexedLink = Link & { from: number; to: number };

/** Links a slice that emits, publishes or produces a type to each slice that starts from, consumes or reads it. */
export const linksOf = (slices: readonly Slice[]): Link[] => runNow(linkSteps(slices));

export function* linkSteps(slices: readonly Slice[]): Task<Link[]> {
  const started = typeIndex<LinkEnd>();
  const consumed = typeIndex<LinkEnd>();
  const read = typeIndex<LinkEnd>();
  for (const [index, slice] of slices.entries()) {
    const end = (kind: ElementKind, type: TypeRef): LinkEnd => ({
      index,
      elementId: elementId(slice.name, kind, type.fullName),
    });
    if (slice.commandType) started.add(slice.commandType, end('Command', slice.commandType));
    if (slice.triggerType) started.add(slice.triggerType, end('Trigger', slice.triggerType));
    for (const type of slice.consumedEvents) consumed.add(type, end('Event', type));
    for (const type of slice.readsFrom) read.add(type, end('ReadModel', type));
    yield;
  }
  const links: IndexedLink[] = [];
  for (const [index, slice] of slices.entries()) {
    const causes = [
      ...causesOf('EventTriggers', 'Event', slice.emittedEvents, started),
      ...causesOf('MessageTriggers', 'Message', slice.publishedMessages, started),
      ...causesOf('EventConsumed', 'Event', slice.emittedEvents, consumed),
      ...causesOf('ReadModelRead', 'ReadModel', slice.readModelTypes, read),
    ];
    for (const cause of causes) {
      if (links.length < maxLinks) links.push(...linksFrom(slices, slice, index, cause));
    }
    yield;
  }
  return links
    .sort(inOrder)
    .slice(0, maxLinks)
    .map(({ from: _from, to: _to, ...link }) => link);
}

type LinkCause = { kind: LinkKind; via: TypeRef; element: ElementKind; effects: () => LinkEnd[] };

const causesOf = (
  kind: LinkKind,
  element: ElementKind,
  types: readonly TypeRef[],
  effects: TypeIndex<LinkEnd>,
): LinkCause[] => types.map((via) => ({ kind, via, element, effects: () => effects.get(via) }));

/** A slice whose command and trigger have the same type gets one link, to its command. */
function linksFrom(
  slices: readonly Slice[],
  slice: Slice,
  from: number,
  { kind, via, element, effects }: LinkCause,
): IndexedLink[] {
  const entered = new Set([from]);
  return effects().flatMap((effect) => {
    const toSlice = slices[effect.index]?.name;
    if (toSlice === undefined || entered.has(effect.index)) return [];
    entered.add(effect.index);
    const fromElementId = elementId(slice.name, element, via.fullName);
    return [
      {
        fromSlice: slice.name,
        fromElementId,
        toSlice,
        toElementId: effect.elementId,
        kind,
        via,
        from,
        to: effect.index,
      },
    ];
  });
}

const inOrder = (a: IndexedLink, b: IndexedLink): number =>
  a.from - b.from ||
  a.to - b.to ||
  linkKinds.indexOf(a.kind) - linkKinds.indexOf(b.kind) ||
  order(a.via.fullName, b.via.fullName);
