import type { AddressInfo } from 'node:net';
import { type RawData, WebSocketServer } from 'ws';

// Answers every call on a socket immediately and stores nothing; its answers are shorter than ours. Prints its port.
type Call = { id: number; method: string };

const expiresAt = new Date(Date.now() + 30 * 60_000).toISOString();
let claims = 0;

const resultOf = ({ method }: Call): object => {
  if (method !== 'claim_next') return {};
  claims += 1;
  const node = { id: `n${claims % 2_000}`, plan: 'bench', status: 'open', claimedBy: 'agent' };
  return { claimed: true, node, fence: claims, leaseMinutes: 30, expiresAt };
};

const answerOf = (call: Call) => ({ jsonrpc: '2.0', id: call.id, result: resultOf(call) });

const answersTo = (frame: RawData): string => {
  const calls: Call | Call[] = JSON.parse(String(frame));
  return JSON.stringify(Array.isArray(calls) ? calls.map(answerOf) : answerOf(calls));
};

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => socket.on('message', (frame) => socket.send(answersTo(frame))));
server.once('listening', () => console.log((server.address() as AddressInfo).port));
