import { z } from 'zod';
import type { ModelView, Narrowing } from './model-contract.ts';

type Slice = ModelView['slices'][number];
type ElementType = z.output<typeof elementType>;

const elementType = z.object({ name: z.string(), fullName: z.string(), assemblyName: z.string() });
/** What a slice draws and what an aggregate is; members of a newer console that are none of it are passed over. */
const typed = z.looseObject({ type: elementType.nullable() });

/** The model as its console would narrow it: with the links that lead in and out of what is left, and its aggregates. */
export function narrowModel(model: ModelView, { slice, domain, chapter }: Narrowing): ModelView {
  const slices = model.slices.filter(
    (one: Slice) =>
      matchesName(one.name, slice) && matchesName(one.domain, domain) && matchesName(one.chapter, chapter),
  );
  if (slices.length === model.slices.length) return model;
  const names = new Set(slices.map(({ name }) => name));
  const links = model.links.filter((link) => names.has(String(link.fromSlice)) || names.has(String(link.toSlice)));
  const types = slices.flatMap(typesIn);
  const aggregates = listIn(model.aggregates).filter((aggregate) =>
    typeIn(aggregate).some((type) => types.some((one) => isSame(one, type))),
  );
  return { ...model, slices, links, aggregates };
}

const matchesName = (value: unknown, wanted: string | undefined): boolean =>
  wanted === undefined || (typeof value === 'string' && value.toLowerCase() === wanted.trim().toLowerCase());

/** Every type of a slice is drawn, so its elements name them all. */
const typesIn = ({ elements }: Slice): ElementType[] => listIn(elements).flatMap(typeIn);

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function typeIn(element: unknown): ElementType[] {
  const { data } = typed.safeParse(element);
  return data?.type ? [data.type] : [];
}

/** By full names where both are known from code, by short ones where one was only declared. */
const isSame = (a: ElementType, b: ElementType): boolean =>
  a.assemblyName !== '' && b.assemblyName !== '' ? a.fullName === b.fullName : a.name === b.name;
