import { z } from 'zod';
import type { Descriptor, Slice, TypeRef } from '../contract.ts';
import { distinctTypes } from '../types.ts';

// The JSON export of the eventmodelers tooling (config.json, its schema is public). Every slice repeats its elements and
// both ends of each dependency. Titles are written for people; the name of a type is its title as one word.

const dependency = z.object({
  type: z.string().nullish(),
  title: z.string().nullish(),
  elementType: z.string().nullish(),
});

const element = z.object({
  title: z.string().trim().min(1, 'must not be blank'),
  aggregate: z.string().nullish(),
  context: z.string().nullish(),
  dependencies: z.array(dependency).nullish(),
});

const elements = z
  .array(element)
  .nullish()
  .transform((given) => given ?? []);

const boardSlice = z.object({
  title: z.string().trim().min(1, 'must not be blank'),
  context: z.string().nullish(),
  chapter: z.string().nullish(),
  index: z.number().nullish(),
  sliceType: z.string().nullish(),
  commands: elements,
  events: elements,
  readmodels: elements,
  screens: elements,
  processors: elements,
  aggregates: z.array(z.string()).nullish(),
  specifications: z.array(z.object({ title: z.string().nullish() })).nullish(),
});

export const eventmodelersBoard = z.object({ slices: z.array(boardSlice), context: z.string().nullish() });

type BoardSlice = z.output<typeof boardSlice>;
type BoardElement = BoardSlice['commands'][number];

const slicePatterns: Record<string, Slice['pattern']> = {
  STATE_CHANGE: 'Command',
  STATE_VIEW: 'View',
  AUTOMATION: 'Automation',
  TRANSLATION: 'Translation',
};

/** Slices in the order of their `index`, or of the export if they have none. */
export function descriptorOfBoard(name: string, board: z.output<typeof eventmodelersBoard>): Descriptor {
  const ordered = board.slices
    .map((slice, position) => ({ slice, position }))
    .sort((a, b) => (a.slice.index ?? a.position) - (b.slice.index ?? b.position) || a.position - b.position);
  return { name, slices: ordered.map(({ slice }) => sliceOfBoard(slice)), aggregates: [], hotspots: [] };
}

function sliceOfBoard(board: BoardSlice): Slice {
  const name = sliceName(board.title);
  const inner = [...board.commands, ...board.readmodels, ...board.processors];
  const [command, ...more] = board.commands;
  const own = new Set(board.events.map(({ title }) => title));
  const aggregateTypes = named(
    [...(board.aggregates ?? []), ...board.commands.flatMap(({ aggregate }) => aggregate ?? [])].filter(isNamed),
  );
  return {
    name,
    triggerLabel: (board.screens[0] ?? board.processors[0])?.title ?? null,
    triggerType: null,
    commandType: command ? typeOf(command.title) : null,
    handlerType: null,
    emittedEvents: named(board.events.filter(isInternal).map(({ title }) => title)),
    projectionTypes: [],
    readModelTypes: named(board.readmodels.map(({ title }) => title)),
    pattern: slicePatterns[board.sliceType?.toUpperCase() ?? ''] ?? null,
    triggerKind: board.screens.length > 0 ? 'Human' : board.processors.length > 0 ? 'MessageHandler' : null,
    triggerOrigin: null,
    aggregateTypes,
    publishedMessages: named(more.map(({ title }) => title)),
    externalSystems: [],
    hotspots: [],
    specifications: (board.specifications ?? []).flatMap(({ title }) =>
      title?.trim() ? [{ identity: `${name}/${title.trim()}`, resolvedTypes: [] }] : [],
    ),
    domain: board.context?.trim() || null,
    consumedEvents: named([...inbound(inner, 'EVENT').filter((title) => !own.has(title)), ...externalEvents(board)]),
    readsFrom: named(inbound([...board.commands, ...board.processors, ...board.screens], 'READMODEL')),
    chapter: board.chapter?.trim() || null,
    origin: null,
    provenance: 'Declared',
    claimedBy: {},
  };
}

const isInternal = ({ context }: BoardElement): boolean => context?.toUpperCase() !== 'EXTERNAL';
const isNamed = (aggregate: string): boolean => aggregate.trim() !== '' && aggregate.toLowerCase() !== 'default';
const externalEvents = (board: BoardSlice): string[] =>
  board.events.filter((event) => !isInternal(event)).map(({ title }) => title);

/** Exports put the caption of the column into the title. */
const sliceName = (title: string): string => title.replace(/^slice:\s*/i, '').trim() || title;

const inbound = (of: readonly BoardElement[], elementType: string): string[] =>
  of.flatMap(({ dependencies }) =>
    (dependencies ?? []).flatMap((each) =>
      each.type?.toUpperCase() === 'INBOUND' && each.elementType?.toUpperCase() === elementType && each.title
        ? [each.title]
        : [],
    ),
  );

const named = (titles: readonly string[]): TypeRef[] => distinctTypes(titles.map(typeOf));

/** `Cart submitted` becomes `CartSubmitted`, so that it matches the type of that name in code. */
function typeOf(title: string): TypeRef {
  const words = title.split(/[^\p{L}\p{N}_.]+/u).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || title.trim();
  return { name, fullName: name, assemblyName: '' };
}
