import { mapInSteps, runNow, type Task } from '../../service/src/event-loop/task.ts';
import type { Descriptor, EventModelView, Link, Narrowing, Slice, StoredSource } from './contract.ts';
import { evidenceOf, typesOf } from './coverage.ts';
import { mergeSlice, mergeSources, type SourceSlice, sourceSlicesOf } from './merge.ts';
import { linkSteps, type SliceGraph, sliceGraphOf } from './slice-graph.ts';
import { order, typeIndex } from './types.ts';
import type { Verdicts } from './verdicts.ts';

/** The merged model and everything computed from its sources; evidence is added on each read. */
export type ComputedModel = {
  model: Descriptor;
  graphs: ReadonlyMap<string, SliceGraph>;
  links: readonly Link[];
  sources: EventModelView['sources'];
};

type CachedSlice = { parts: readonly SourceSlice[]; slice: Slice; graph: SliceGraph };
type Compute = (name: string, stored: readonly StoredSource[]) => Task<ComputedModel>;

export const computeModel = (name: string, stored: readonly StoredSource[]): ComputedModel =>
  runNow(createModelComputation()(name, stored));

/** Caches each merged slice with its sources, so that a push recomputes only the slices it changes. */
export function createModelComputation(): Compute {
  let previous = new Map<string, CachedSlice>();
  return function* compute(name, stored) {
    const slices = new Map<string, CachedSlice>();
    for (const [sliceName, parts] of sourceSlicesOf(stored)) {
      const cached = previous.get(sliceName);
      slices.set(sliceName, cached && sameSources(cached.parts, parts) ? cached : computeSlice(sliceName, parts));
      yield;
    }
    previous = slices;
    const cachedOrMerged = (sliceName: string, parts: readonly SourceSlice[]) =>
      slices.get(sliceName)?.slice ?? mergeSlice(sliceName, parts);
    const model = mergeSources(name, stored, cachedOrMerged);
    yield;
    const links = yield* linkSteps(model.slices);
    return {
      model,
      graphs: new Map([...slices].map(([sliceName, { graph }]) => [sliceName, graph])),
      links,
      sources: stored
        .map(({ source, pushedAt, descriptor }) => ({ source, pushedAt, slices: descriptor.slices.length }))
        .sort((a, b) => order(a.source.toLowerCase(), b.source.toLowerCase())),
    };
  };
}

function computeSlice(name: string, parts: readonly SourceSlice[]): CachedSlice {
  const slice = mergeSlice(name, parts);
  return { parts, slice, graph: sliceGraphOf(slice) };
}

const sameSources = (a: readonly SourceSlice[], b: readonly SourceSlice[]): boolean =>
  a.length === b.length &&
  a.every(({ source, slice }, index) => slice === b[index]?.slice && source === b[index]?.source);

/** The model as it is served. A narrowed model keeps the links into and out of its slices. */
export const viewOf = (computed: ComputedModel, verdicts: Verdicts, narrow?: Narrowing): EventModelView =>
  runNow(viewSteps(computed, verdicts, narrow));

export function* viewSteps(computed: ComputedModel, verdicts: Verdicts, narrow: Narrowing = {}): Task<EventModelView> {
  const { model, graphs, links, sources } = computed;
  const slices = model.slices.filter(matches(narrow));
  const whole = slices.length === model.slices.length;
  const names = new Set(slices.map((slice) => slice.name));
  return {
    name: model.name,
    slices: yield* mapInSteps(slices, (slice) => ({
      ...slice,
      ...(graphs.get(slice.name) ?? { elements: [], edges: [] }),
      evidence: evidenceOf(slice, verdicts),
    })),
    aggregates: whole ? model.aggregates : aggregatesOf(model, slices),
    hotspots: model.hotspots,
    links: whole ? [...links] : links.filter((link) => names.has(link.fromSlice) || names.has(link.toSlice)),
    sources,
  };
}

const passes = (filter: string | undefined, value: string | null): boolean =>
  filter === undefined || filter.trim().toLowerCase() === value?.toLowerCase();

const matches =
  ({ slice, domain, chapter }: Narrowing) =>
  (candidate: Slice): boolean =>
    passes(slice, candidate.name) && passes(domain, candidate.domain) && passes(chapter, candidate.chapter);

function aggregatesOf(model: Descriptor, slices: readonly Slice[]): Descriptor['aggregates'] {
  const named = typeIndex<true>();
  for (const type of slices.flatMap(typesOf)) named.add(type, true);
  return model.aggregates.filter((aggregate) => named.has(aggregate.type));
}
