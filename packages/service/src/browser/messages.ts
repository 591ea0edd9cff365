/** What the hub sends, for the browser: the types as values, what each carries as types alone. */
export { type MessageType, messageTypes } from '../kernel/message-types.ts';
export type { Message, MessageData } from '../kernel/messages.ts';
