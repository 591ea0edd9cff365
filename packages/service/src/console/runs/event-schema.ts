import { type ListOf, type Members, monitorEvents, type ObjectWith, type Plain } from './events.ts';
import { wordsOfOutcomes } from './outcome-words.ts';
import { longestText, subjectOf } from './read-event.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A batch of monitor events as JSON Schema: the body of `POST /api/ingest`. */
export function monitorEventSchema(): Schema {
  const types = Object.entries(monitorEvents).map(([type, members]) => [type, eventSchema(type, members)] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Signalbox monitor events',
    description:
      'The body of POST /api/ingest. Members that are not required may be left out or null; unknown types and members are kept in the archive and otherwise ignored.',
    anyOf: [
      { type: 'object', required: ['events'], properties: { events: { $ref: '#/$defs/events' } } },
      { $ref: '#/$defs/events' },
    ],
    $defs: {
      events: { type: 'array', items: { $ref: '#/$defs/MonitorEvent' } },
      MonitorEvent: {
        type: 'object',
        required: ['type', 'runId'],
        oneOf: [...types.map(([type]) => ({ $ref: `#/$defs/${type}` })), { $ref: '#/$defs/other' }],
      },
      ...Object.fromEntries(types),
      other: {
        description: 'An event of an unknown type: kept, not shown',
        type: 'object',
        required: ['type', 'runId'],
        properties: {
          type: { type: 'string', minLength: 1, not: { enum: types.map(([type]) => type) } },
          runId,
        },
      },
      Outcome: {
        description:
          'The outcome of a test: one of these values or the equivalent of another runner, in any letter case, with or without hyphens.',
        enum: [...wordsOfOutcomes, null],
      },
    },
  };
}

const runId = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' };

function eventSchema(type: string, members: Members): Schema {
  const subject = subjectOf(type);
  const { properties } = objectOf(members);
  return {
    type: 'object',
    required: ['type', 'runId', ...(subject === null ? [] : [subject]), ...verdictOf(type)],
    properties: { type: { const: type }, runId, ...properties },
  };
}

/** The member without which a verdict is rejected. */
const verdictOf = (type: string): string[] =>
  type === 'scenario_finished' ? ['outcome'] : type === 'test_finished' ? ['state'] : [];

const objectOf = (members: Members): { type: string[]; properties: Schema } => ({
  type: ['object', 'null'],
  properties: Object.fromEntries(Object.entries(members).map(([name, kind]) => [name, memberSchema(name, kind)])),
});

function memberSchema(name: string, kind: Plain | ListOf | ObjectWith): Schema {
  if (typeof kind !== 'string')
    return 'of' in kind
      ? { type: ['array', 'null'], items: { ...objectOf(kind.of), type: 'object' } }
      : objectOf(kind.with);
  return name === 'outcome' || name === 'state' ? { $ref: '#/$defs/Outcome' } : plain[kind];
}

const plain: Record<Plain, Schema> = {
  text: { type: ['string', 'null'] },
  name: { type: ['string', 'null'], maxLength: longestText },
  content: { type: ['string', 'null'], contentEncoding: 'base64' },
  displayText: { type: ['string', 'number', 'boolean', 'null'] },
  integer: { type: ['number', 'null'] },
  flag: { type: ['boolean', 'null'] },
  time: { type: ['string', 'null'], description: 'ISO 8601; without an offset it is UTC' },
  textList: { type: ['array', 'null'], items: { type: 'string' } },
  integers: { type: ['array', 'null'], items: { type: 'number' } },
  stringMap: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
};
