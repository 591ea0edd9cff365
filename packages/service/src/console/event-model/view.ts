import type { Part } from './claims.ts';
import type { Descriptor, EventModelView, Link, Narrowing, Slice } from './contract.ts';
import { typesOf } from './coverage.ts';
import { type Graph, graphOf } from './elements.ts';
import { evidenceOf } from './evidence.ts';
import { linksOf } from './links.ts';
import { merge, mergeSlice } from './merge.ts';
import type { StoredSource, Verdicts } from './ports.ts';
import { order, typeIndex } from './types.ts';

/** The merged model with all that follows from its sources alone; evidence is joined on each read. */
export type ComputedModel = {
  model: Descriptor;
  graphs: ReadonlyMap<string, Graph>;
  links: readonly Link[];
  sources: EventModelView['sources'];
};

type Cell = { parts: readonly Part[]; slice: Slice; graph: Graph };
type Compute = (name: string, stored: readonly StoredSource[]) => ComputedModel;

export const compute: Compute = (name, stored) => createComputing()(name, stored);

/** Remembers each slice with the parts that it was made of: a push costs what it changes, not what there is. */
export function createComputing(): Compute {
  let before = new Map<string, Cell>();
  return (name, stored) => {
    const cells = new Map<string, Cell>();
    const model = merge(name, stored, (sliceName, parts) => {
      const known = before.get(sliceName);
      const cell = known && sameParts(known.parts, parts) ? known : freshCell(sliceName, parts);
      cells.set(sliceName, cell);
      return cell.slice;
    });
    before = cells;
    return {
      model,
      graphs: new Map([...cells].map(([sliceName, { graph }]) => [sliceName, graph])),
      links: linksOf(model.slices),
      sources: stored
        .map(({ source, pushedAt, descriptor }) => ({ source, pushedAt, slices: descriptor.slices.length }))
        .sort((a, b) => order(a.source.toLowerCase(), b.source.toLowerCase())),
    };
  };
}

function freshCell(name: string, parts: readonly Part[]): Cell {
  const slice = mergeSlice(name, parts);
  return { parts, slice, graph: graphOf(slice) };
}

const sameParts = (a: readonly Part[], b: readonly Part[]): boolean =>
  a.length === b.length &&
  a.every(({ source, slice }, index) => slice === b[index]?.slice && source === b[index]?.source);

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
