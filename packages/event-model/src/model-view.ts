import { atOnce, eachOf, type Steps } from '../../service/src/kernel/in-turns.ts';
import type { Descriptor, EventModelView, Link, Narrowing, Slice, StoredSource } from './contract.ts';
import { evidenceOf, typesOf } from './coverage.ts';
import { mergeSlice, mergeSources, type SourceSlice, sourceSlicesOf } from './merge.ts';
import { linkSteps, type SliceGraph, sliceGraphOf } from './slice-graph.ts';
import { order, typeIndex } from './types.ts';
import type { Verdicts } from './verdicts.ts';

/** The merged model with all that follows from its sources alone; evidence is joined on each read. */
export type ComputedModel = {
  model: Descriptor;
  graphs: ReadonlyMap<string, SliceGraph>;
  links: readonly Link[];
  sources: EventModelView['sources'];
};

type CachedSlice = { parts: readonly SourceSlice[]; slice: Slice; graph: SliceGraph };
type Compute = (name: string, stored: readonly StoredSource[]) => Steps<ComputedModel>;

export const computeModel = (name: string, stored: readonly StoredSource[]): ComputedModel =>
  atOnce(createModelComputation()(name, stored));

/** Caches each merged slice with its sources, so that a push recomputes only the slices it changes. */
export function createModelComputation(): Compute {
  let before = new Map<string, CachedSlice>();
  return function* compute(name, stored) {
    const cells = new Map<string, CachedSlice>();
    for (const [sliceName, parts] of sourceSlicesOf(stored)) {
      const cached = before.get(sliceName);
      cells.set(sliceName, cached && sameSources(cached.parts, parts) ? cached : computeSlice(sliceName, parts));
      yield;
    }
    before = cells;
    const one = (sliceName: string, parts: readonly SourceSlice[]) =>
      cells.get(sliceName)?.slice ?? mergeSlice(sliceName, parts);
    const model = mergeSources(name, stored, one);
    yield;
    const links = yield* linkSteps(model.slices);
    return {
      model,
      graphs: new Map([...cells].map(([sliceName, { graph }]) => [sliceName, graph])),
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

/** The model as it is served; narrowed, it keeps the links that lead in and out of what is left. */
export const viewOf = (computed: ComputedModel, verdicts: Verdicts, narrow?: Narrowing): EventModelView =>
  atOnce(viewSteps(computed, verdicts, narrow));

export function* viewSteps(computed: ComputedModel, verdicts: Verdicts, narrow: Narrowing = {}): Steps<EventModelView> {
  const { model, graphs, links, sources } = computed;
  const slices = model.slices.filter(matches(narrow));
  const whole = slices.length === model.slices.length;
  const names = new Set(slices.map((slice) => slice.name));
  return {
    name: model.name,
    slices: yield* eachOf(slices, (slice) => ({
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

const same = (wish: string | undefined, value: string | null): boolean =>
  wish === undefined || wish.trim().toLowerCase() === value?.toLowerCase();

const matches =
  ({ slice, domain, chapter }: Narrowing) =>
  (candidate: Slice): boolean =>
    same(slice, candidate.name) && same(domain, candidate.domain) && same(chapter, candidate.chapter);

function aggregatesOf(model: Descriptor, slices: readonly Slice[]): Descriptor['aggregates'] {
  const named = typeIndex<true>();
  for (const type of slices.flatMap(typesOf)) named.add(type, true);
  return model.aggregates.filter((aggregate) => named.has(aggregate.type));
}
