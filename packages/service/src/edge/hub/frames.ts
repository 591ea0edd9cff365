import type { HubMessage, Protocol } from './message.ts';

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

/** No `event:` field, so that a plain `onmessage` hears every type; JSON text has no line breaks. */
const eventOf = ({ id, json }: HubMessage): Buffer =>
  Buffer.concat([Buffer.from(`id: ${id}\ndata: `), json, Buffer.from('\n\n')]);

/** Around a message on a socket of calls, where it is a JSON-RPC notification. */
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
