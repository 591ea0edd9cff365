import type { Element, EventModelView, SliceView, TypeRef } from '../contract.ts';
import { distinctTypes, sameType, typeIndex } from '../types.ts';
import { type DiagramLane, diagramLanes } from '../vocabulary.ts';

export type Row = { lane: DiagramLane; label: string };
export type Rows = { rows: Row[]; rowOf(slice: SliceView, element: Element): number };

const laneLabel: Record<DiagramLane, string> = {
  Wireframe: 'Triggers',
  Command: 'Commands',
  EventStream: 'Events',
  ReadModel: 'Read models',
};

/** One row a lane; from two aggregates on, the events have one row an aggregate and a last one for all others. */
export function rowsOf(model: EventModelView): Rows {
  const streams = streamsOf(model);
  const split = streams.length >= 2;
  const stream = split ? streamIndexOf(model, streams) : () => 0;
  const drawn = model.slices.flatMap((slice) =>
    slice.elements.filter((element) => element.lane === 'EventStream').map((element) => stream(slice, element)),
  );
  const others = split && drawn.includes(streams.length) ? [''] : [];
  const labels = split ? [...streams.map((type) => type.name), ...others] : [laneLabel.EventStream];
  const rows = diagramLanes.flatMap((lane): Row[] =>
    lane === 'EventStream' ? labels.map((label) => ({ lane, label })) : [{ lane, label: laneLabel[lane] }],
  );
  const first = new Map(diagramLanes.map((lane) => [lane, rows.findIndex((row) => row.lane === lane)]));
  return {
    rows,
    rowOf: (slice, element) =>
      (first.get(element.lane) ?? 0) + (element.lane === 'EventStream' ? stream(slice, element) : 0),
  };
}

/** The aggregates that are drawn: those of the model first, then those that only slices name. */
function streamsOf(model: EventModelView): TypeRef[] {
  const drawn = typeIndex<true>();
  for (const type of model.slices.flatMap((slice) => slice.aggregateTypes)) drawn.add(type, true);
  const declared = model.aggregates.map((aggregate) => aggregate.type).filter((type) => drawn.has(type));
  return distinctTypes([...declared, ...model.slices.flatMap((slice) => slice.aggregateTypes)]);
}

/** An event stands with its slice's aggregate, or with the one that applies it; all else in the row after the last. */
function streamIndexOf(model: EventModelView, streams: readonly TypeRef[]) {
  const streamIndexes = typeIndex<number>();
  for (const [index, type] of streams.entries()) streamIndexes.add(type, index);
  const appliers = typeIndex<number>();
  for (const aggregate of model.aggregates) {
    const [index] = streamIndexes.of(aggregate.type);
    if (index !== undefined) for (const event of aggregate.appliedEvents) appliers.add(event, index);
  }
  return (slice: SliceView, element: Element): number => {
    const type = element.type;
    if (element.kind !== 'Event' || !type) return streams.length;
    const own = slice.aggregateTypes.flatMap((aggregate) => streamIndexes.of(aggregate).slice(0, 1));
    const applying = appliers.of(type);
    const emitted = slice.emittedEvents.some((event) => sameType(event, type));
    if (!emitted) return applying[0] ?? own[0] ?? streams.length;
    return own.find((index) => applying.includes(index)) ?? own[0] ?? applying[0] ?? streams.length;
  };
}
