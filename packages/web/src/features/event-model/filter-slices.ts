import type { EventModelView, SliceView } from '../../live/wire.ts';

export type SliceFilter = {
  text: string;
  open: boolean;
  /** Shows only this slice and those that it is linked with. */
  focusedSlice: string | null;
};
export type LinkChoice = 'all' | 'chosen' | 'none';

/** The model with only the slices that match the filter, in their order. */
export function filteredModel(model: EventModelView, { text, open, focusedSlice }: SliceFilter): EventModelView {
  const linked = focusedSlice === null ? null : linkedSlices(model, focusedSlice);
  const wanted = text.trim().toLowerCase();
  const slices = model.slices.filter(
    (slice) =>
      (!open || slice.evidence.state !== 'verified') &&
      (linked === null || linked.has(slice.name)) &&
      (wanted === '' || searchText(slice).includes(wanted)),
  );
  return slices.length === model.slices.length ? model : { ...model, slices };
}

export function linkedSlices({ links }: EventModelView, name: string): Set<string> {
  const linked = new Set([name]);
  for (const { fromSlice, toSlice } of links) {
    if (fromSlice === name) linked.add(toSlice);
    if (toSlice === name) linked.add(fromSlice);
  }
  return linked;
}

const searchText = ({ name, domain, chapter, elements }: SliceView): string =>
  [name, domain, chapter, ...elements.map(({ label }) => label)].join('\n').toLowerCase();

/** The model with only the links to draw. */
export function modelWithLinks(model: EventModelView, which: LinkChoice, chosen: string | null): EventModelView {
  if (which === 'all') return model;
  const isDrawn = ({ fromSlice, toSlice }: EventModelView['links'][number]) =>
    which === 'chosen' && (fromSlice === chosen || toSlice === chosen);
  return { ...model, links: model.links.filter(isDrawn) };
}
