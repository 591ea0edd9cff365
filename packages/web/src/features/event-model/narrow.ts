import type { EventModelView, SliceView } from '../../live/wire.ts';

export type Which = {
  text: string;
  open: boolean /** Only this slice and those it is linked with. */;
  around: string | null;
};
export type Links = 'all' | 'chosen' | 'none';

/** The slices that are asked for, in their order; what is hidden takes no room. */
export function narrowed(model: EventModelView, { text, open, around }: Which): EventModelView {
  const near = around === null ? null : neighboursOf(model, around);
  const wanted = text.trim().toLowerCase();
  const slices = model.slices.filter(
    (slice) =>
      (!open || slice.evidence.state !== 'verified') &&
      (near === null || near.has(slice.name)) &&
      (wanted === '' || wordsOf(slice).includes(wanted)),
  );
  return slices.length === model.slices.length ? model : { ...model, slices };
}

export function neighboursOf({ links }: EventModelView, name: string): Set<string> {
  const near = new Set([name]);
  for (const { fromSlice, toSlice } of links) {
    if (fromSlice === name) near.add(toSlice);
    if (toSlice === name) near.add(fromSlice);
  }
  return near;
}

const wordsOf = ({ name, domain, chapter, elements }: SliceView): string =>
  [name, domain, chapter, ...elements.map(({ label }) => label)].join('\n').toLowerCase();

/** A model with the links that are to be drawn. */
export function linked(model: EventModelView, which: Links, chosen: string | null): EventModelView {
  if (which === 'all') return model;
  const mine = ({ fromSlice, toSlice }: EventModelView['links'][number]) =>
    which === 'chosen' && (fromSlice === chosen || toSlice === chosen);
  return { ...model, links: model.links.filter(mine) };
}
