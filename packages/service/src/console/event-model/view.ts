import type { Descriptor, EventModelView, Link, Narrowing, Slice } from './contract.ts';
import { typesOf } from './coverage.ts';
import { type Graph, graphOf } from './elements.ts';
import { evidenceOf } from './evidence.ts';
import { linksOf } from './links.ts';
import { merge } from './merge.ts';
import type { StoredSource, Verdicts } from './ports.ts';
import { order, typeIndex } from './types.ts';

/** The merged model with all that follows from its sources alone; evidence is joined on each read. */
export type ComputedModel = {
  model: Descriptor;
  graphs: ReadonlyMap<string, Graph>;
  links: readonly Link[];
  sources: EventModelView['sources'];
};

export function compute(name: string, stored: readonly StoredSource[]): ComputedModel {
  const model = merge(name, stored);
  const sources = stored
    .map(({ source, pushedAt, descriptor }) => ({ source, pushedAt, slices: descriptor.slices.length }))
    .sort((a, b) => order(a.source.toLowerCase(), b.source.toLowerCase()));
  return {
    model,
    graphs: new Map(model.slices.map((slice) => [slice.name, graphOf(slice)])),
    links: linksOf(model.slices),
    sources,
  };
}

/** The model as it is served; narrowed, it keeps the links that lead in and out of what is left. */
export function viewOf(computed: ComputedModel, verdicts: Verdicts, narrow: Narrowing = {}): EventModelView {
  const { model, graphs, links, sources } = computed;
  const slices = model.slices.filter(wanted(narrow));
  const whole = slices.length === model.slices.length;
  const names = new Set(slices.map((slice) => slice.name));
  return {
    name: model.name,
    slices: slices.map((slice) => ({
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

const wanted =
  ({ slice, domain, chapter }: Narrowing) =>
  (candidate: Slice): boolean =>
    same(slice, candidate.name) && same(domain, candidate.domain) && same(chapter, candidate.chapter);

function aggregatesOf(model: Descriptor, slices: readonly Slice[]): Descriptor['aggregates'] {
  const named = typeIndex<true>();
  for (const type of slices.flatMap(typesOf)) named.add(type, true);
  return model.aggregates.filter((aggregate) => named.has(aggregate.type));
}
