import { z } from 'zod';
import type { Announcements } from '../../../kernel/announcements.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { Document } from '../../../kernel/document.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import { withAge } from '../aged-list.ts';
import type { ModelView, Narrowing, SliceCoverage } from '../model-contract.ts';
import type { ModelSource } from '../ports.ts';
import {
  bodyOf,
  type ConsoleAddress,
  fetchFromConsole,
  hasMembers,
  readFromConsole,
  refuseUnexpected,
} from './remote-console.ts';

const pollMs = 5000;

type CachedModel = { model: ModelView | Refusal; coverage: SliceCoverage | Refusal };

/** The Event Model of a console on another machine, at its last answer. Only drawings are fetched on request. */
export function modelsOverHttp(
  address: ConsoleAddress,
  clock: Clock,
  announcements: Announcements,
): { models: ModelSource; stop(): void } {
  let cached: CachedModel | undefined;
  let readAt = clock.monotonic();
  const dated = <Answer extends object>(answer: Answer) => withAge(answer, clock.monotonic() - readAt);
  const poll = async (): Promise<void> => {
    const now: CachedModel = {
      model: await readFromConsole(address, 'event_model', {}, hasMembers('slices', 'links')),
      coverage: await readFromConsole(address, 'slice_coverage', {}, hasMembers('summary', 'slices')),
    };
    const before = cached;
    if (before && (isUnavailable(now.model) || isUnavailable(now.coverage))) return;
    cached = now;
    readAt = clock.monotonic();
    if (!before || JSON.stringify(before.model) === JSON.stringify(now.model)) return;
    // A model whose last source was removed is announced under its former name.
    const name = nameOf(now.model) ?? nameOf(before.model);
    if (name !== null) announcements.announce({ type: 'event_model_changed', data: { name } });
  };
  const first = poll();
  const current = async (): Promise<CachedModel> => {
    await first;
    if (!cached) throw new Error('the first poll of the event model returned nothing');
    return cached;
  };
  const models: ModelSource = {
    async model(narrow) {
      const { model } = await current();
      return isRefusal(model) ? model : dated(narrowModel(model, narrow));
    },
    coverage: async () => dated((await current()).coverage),
    async diagram(format, narrow) {
      const answer = await fetchFromConsole(address, 'event_model_diagram', { ...narrow, format });
      if (isRefusal(answer)) return answer;
      const mediaType = answer.headers.get('content-type') ?? '';
      return /^(image\/svg\+xml|text\/plain)\b/.test(mediaType)
        ? new Document(mediaType, bodyOf(answer))
        : refuseUnexpected(address);
    },
  };
  return { models, stop: clock.every(pollMs, poll) };
}

const isUnavailable = (answer: unknown): boolean => isRefusal(answer) && answer.code === 'host_unavailable';
const nameOf = (answer: ModelView | Refusal): string | null => (isRefusal(answer) ? null : answer.name);

type Slice = ModelView['slices'][number];
type ElementType = z.output<typeof elementType>;

const elementType = z.object({ name: z.string(), fullName: z.string(), assemblyName: z.string() });
/** The members of slices and aggregates that are read; other members of a newer console are ignored. */
const typed = z.looseObject({ type: elementType.nullable() });

/** The model as its console would narrow it: with the links into and out of the remaining slices, and their aggregates. */
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

/** Every type of a slice is drawn, so its elements contain them all. */
const typesIn = ({ elements }: Slice): ElementType[] => listIn(elements).flatMap(typeIn);

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function typeIn(element: unknown): ElementType[] {
  const { data } = typed.safeParse(element);
  return data?.type ? [data.type] : [];
}

/** Compares full names if both are known from code, and short names if one was only declared. */
const isSame = (a: ElementType, b: ElementType): boolean =>
  a.assemblyName !== '' && b.assemblyName !== '' ? a.fullName === b.fullName : a.name === b.name;
