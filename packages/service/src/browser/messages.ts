import type { Message } from '../kernel/messages.ts';

/** What the hub sends, for the browser: the types as values, what each carries as types alone. */
export { type MessageType, messageTypes } from '../kernel/message-types.ts';
export type { Message, MessageData } from '../kernel/messages.ts';

/** A message as the hub sends it, with the id to resume after. */
export const messageIn = (text: string): Message & { id?: string } => JSON.parse(text);
