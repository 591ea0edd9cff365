/** A request to a model and its answer, in no vendor's format. Each format has its own file in this folder. */
/** `words`: the client's text about it, description and schema. */
export type OfferedTool = { name: string; namespace?: string; words?: string };

export type Message =
  | { from: 'user'; text: string }
  | { from: 'model'; calls: readonly Call[] }
  | { from: 'tool'; text: string };

export type Call = { name: string; namespace?: string; input: object };

export type Conversation = { messages: readonly Message[]; tools: readonly OfferedTool[] };

export type Answer = { text: string } | { call: Call };

/** One vendor's format: reads a request body, and writes an answer as that vendor streams it. */
export type Dialect = {
  conversation(body: Body): Conversation;
  events(answer: Answer, body: Body): readonly ServerEvent[];
  /** The same answer to a request that does not stream. */
  whole(answer: Answer, body: Body): object;
};

export type ServerEvent = { event?: string; data: object | '[DONE]' };

// biome-ignore lint/suspicious/noExplicitAny: request bodies of four vendors, read leniently
export type Body = any;

let made = 0;
export const newId = (prefix: string): string => `${prefix}_${Date.now().toString(36)}${(made++).toString(36)}`;

/** The text in a content member, in any form that clients send. */
export function textOf(content: Body): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  if (typeof content !== 'object' || content === null) return '';
  return content.text ?? content.output ?? (content.content === undefined ? '' : textOf(content.content));
}

/** The same numbers in every answer, so that a test can expect them on the board. */
export const usage = { input: 1_200, cached: 5_000, output: 42 };
