import { iso } from '../../kernel/clock.ts';
import { type Message, topicOf } from '../../kernel/messages.ts';

/** Each protocol builds its frame of a message once, for all its clients. */
export type Protocol = 'events' | 'socket' | 'signalr' | 'calls';

export type HubMessage = {
  id: number;
  topic: FilterTopic;
  /** The CloudEvents object as it goes over the wire. */
  json: Buffer;
  frames: Partial<Record<Protocol, Buffer>>;
};

export type MessageSource = { source: string; now: () => number };

export function messageOf(id: number, message: Message, { source, now }: MessageSource): HubMessage {
  const { type, data } = message;
  const { subject } = topicOf(message);
  const event = {
    specversion: '1.0',
    id: String(id),
    source,
    type,
    ...(subject !== undefined && { subject }),
    time: iso(now()),
    datacontenttype: 'application/json',
    data,
  };
  return { id, topic: filterTopicOf(message), json: Buffer.from(JSON.stringify(event)), frames: {} };
}

export const sourceOf = (host: string): string => `/signalbox/${encodeURIComponent(host)}`;

/** The plans and runs that a message concerns, by which a subscription can filter. Names in lower case. */
export type FilterTopic = { type: string; plan: string | undefined; runIds: readonly string[] };

/** Empty sets do not filter. */
export type MessageFilter = {
  types: ReadonlySet<string>;
  plans: ReadonlySet<string>;
  runIds: ReadonlySet<string>;
};

export function filterTopicOf(message: Message): FilterTopic {
  const { plan, runIds = [] } = topicOf(message);
  return { type: message.type, plan: plan?.toLowerCase(), runIds: runIds.map((runId) => runId.toLowerCase()) };
}

/** A subscription that names plans and runs gets messages about any of them; `types` filters further. Every subscription gets `reset`. */
export function matchesFilter({ types, plans, runIds }: MessageFilter, about: FilterTopic): boolean {
  if (about.type === 'reset') return true;
  if (types.size > 0 && !types.has(about.type)) return false;
  if (plans.size === 0 && runIds.size === 0) return true;
  if (about.plan !== undefined && plans.has(about.plan)) return true;
  return runIds.size > 0 && about.runIds.some((runId) => runIds.has(runId));
}

export const recordEnd = '\u001e';

/** A whole WebSocket frame as a server sends it: final, not masked. */
export function frame(opcode: number, payload: Buffer | string): Buffer {
  const size = Buffer.byteLength(payload);
  const headerLength = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const whole = Buffer.allocUnsafe(headerLength + size);
  whole[0] = 0x80 | opcode;
  if (headerLength === 2) whole[1] = size;
  else if (headerLength === 4) {
    whole[1] = 126;
    whole.writeUInt16BE(size, 2);
  } else {
    whole[1] = 127;
    whole.writeBigUInt64BE(BigInt(size), 2);
  }
  if (typeof payload === 'string') whole.write(payload, headerLength);
  else payload.copy(whole, headerLength);
  return whole;
}

const opcodes = { text: 1, ping: 9 };

export const textFrame = (text: string | Buffer): Buffer => frame(opcodes.text, text);
export const pingFrame: Buffer = frame(opcodes.ping, Buffer.alloc(0));

export const signalrRecord = (record: object): Buffer => textFrame(JSON.stringify(record) + recordEnd);
export const signalrPing: Buffer = signalrRecord({ type: 6 });

/** No `event:` field, so that a plain `onmessage` receives every type; JSON text has no line breaks. */
const eventOf = ({ id, json }: HubMessage): Buffer =>
  Buffer.concat([Buffer.from(`id: ${id}\ndata: `), json, Buffer.from('\n\n')]);

/** The frame around a message on a call socket, where it is a JSON-RPC notification. */
const notificationStart = Buffer.from('{"jsonrpc":"2.0","method":"message","params":');
const notificationEnd = Buffer.from('}');

const build: Record<Protocol, (message: HubMessage) => Buffer> = {
  events: eventOf,
  socket: ({ json }) => frame(opcodes.text, json),
  calls: ({ json }) => frame(opcodes.text, Buffer.concat([notificationStart, json, notificationEnd])),
  signalr: ({ json }) => signalrRecord({ type: 1, target: 'ReceiveMessage', arguments: [json.toString()] }),
};

/** The message as a frame of this protocol; built once and shared by all its clients while it is being sent. */
export function frameOf(message: HubMessage, protocol: Protocol): Buffer {
  message.frames[protocol] ??= build[protocol](message);
  return message.frames[protocol];
}

/**
 * Moves the id from which a client resumes, without a message, and keeps the connection open. It is an event of its own
 * name because many parsers drop a block without data together with its id.
 */
export const bookmark = (id: number): string => `event: bookmark\nid: ${id}\ndata:\n\n`;
