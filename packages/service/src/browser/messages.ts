import type { Message } from '../kernel/messages.ts';

export { hubSilentMs } from '../kernel/hub-beat.ts';
/** The messages of the hub for the browser: their types as values, their data as TypeScript types. */
export { type MessageType, messageTypes } from '../kernel/message-types.ts';
export type { Message, MessageData } from '../kernel/messages.ts';

/** A message as the hub sends it, with the id to resume after. */
export const messageIn = (text: string): Message & { id?: string } => JSON.parse(text);
