import { z } from 'zod';
import { claimWithPrevious } from './claim-view.ts';
import { isMessageType, type MessageType } from './message-types.ts';
import { runSummary } from './run-summary.ts';

/** The subject of a message: `subject` is sent; plans and runs are used by the filters of subscriptions. */
export type MessageTopic = { subject?: string; plan?: string; runIds?: readonly string[] };

type Definition<Data> = {
  /** When the message is sent. */
  sentWhen: string;
  data: z.ZodType<Data>;
  topic: (data: Data) => MessageTopic;
};
const define = <Data>(definition: Definition<Data>): Definition<Data> => definition;

const names = z.array(z.string()).readonly();

/**
 * Every message of the hub: what it carries, what it is about and when it is sent. The filter, the reference page, the
 * page's types, the command line, notifications and what hosts share are all derived from this map.
 */
export const messages = {
  plan_changed: define({
    sentWhen: 'nodes changed in content, status or readiness, also through evidence or another plan',
    data: z.object({ slug: z.string(), version: z.int(), nodes: names }),
    topic: ({ slug }) => ({ subject: slug, plan: slug }),
  }),
  claim_changed: define({
    sentWhen:
      'a claim was taken, reported on or released, its health changed, or its lease ended (`claim` is null then)',
    data: z.object({ plan: z.string(), node: z.string(), claim: claimWithPrevious.nullable() }),
    topic: ({ plan, node }) => ({ subject: `${plan}/${node}`, plan }),
  }),
  agents_changed: define({
    sentWhen: 'sessions or working trees changed',
    data: z.object({ sessions: names, trees: names }),
    topic: () => ({}),
  }),
  overlap_changed: define({
    sentWhen:
      'the changes of the live working trees of a repository differ from before; `paths` are those where overlaps began, ended or changed kind',
    data: z.object({ repository: z.string(), paths: names }),
    topic: ({ repository }) => ({ subject: repository }),
  }),
  repository_changed: define({
    sentWhen: 'a repository was registered, declared what it publishes or uses, or got a note',
    data: z.object({ owner: z.string(), name: z.string() }),
    topic: ({ owner, name }) => ({ subject: `${owner}/${name}` }),
  }),
  run_changed: define({
    sentWhen: 'a run changed, at most every 100 ms',
    data: z.object({ run: runSummary }),
    topic: ({ run: { runId } }) => ({ subject: runId, runIds: [runId] }),
  }),
  run_events: define({
    sentWhen: 'events of a run arrived (`events` has them unchanged), at most every 100 ms',
    data: z.object({ runId: z.string(), events: z.array(z.record(z.string(), z.unknown())).readonly() }),
    topic: ({ runId }) => ({ subject: runId, runIds: [runId] }),
  }),
  run_ejected: define({
    sentWhen: 'runs were ejected',
    data: z.object({ runIds: names }),
    topic: ({ runIds }) => ({ runIds }),
  }),
  event_model_changed: define({
    sentWhen: 'a source of the event model was pushed or removed',
    data: z.object({ name: z.string() }),
    topic: ({ name }) => ({ subject: name }),
  }),
  store_changed: define({
    sentWhen:
      'the database of this host became unreachable (`staleSince`: reads show the state of that time) or is back (null)',
    data: z.object({ host: z.string(), staleSince: z.string().nullable() }),
    topic: () => ({}),
  }),
  reset: define({
    sentWhen: 'messages were missed: read everything again, then continue from this id',
    data: z.object({}),
    topic: () => ({}),
  }),
} satisfies Record<MessageType, unknown>;

type DataByType = { [Type in MessageType]: z.output<(typeof messages)[Type]['data']> };
export type MessageData<Type extends MessageType> = DataByType[Type];

/** A message by its type, as a union that a switch over `type` narrows. */
export type Message<Type extends MessageType = MessageType> = {
  [One in Type]: { type: One; data: DataByType[One] };
}[Type];

/**
 * The announcements of the process. They include a `reset` once the store has a different history; the hub sends the
 * same `reset` after missed messages.
 */
export type Announcement = Message;

const definitions: { [Type in MessageType]: Definition<DataByType[Type]> } = messages;

export const topicOf = <Type extends MessageType>({ type, data }: Message<Type>): MessageTopic =>
  definitions[type].topic(data);

/** The message in a JSON object of the hub; undefined if its type or shape is unknown here. */
export function readMessage({ type, data }: { type: string; data: unknown }): Message | undefined {
  return isMessageType(type) ? readData(type, data) : undefined;
}

function readData<Type extends MessageType>(type: Type, data: unknown): Message<Type> | undefined {
  const read = definitions[type].data.safeParse(data);
  return read.success ? { type, data: read.data } : undefined;
}
