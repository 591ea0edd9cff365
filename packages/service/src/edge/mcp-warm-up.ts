import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { AnyCommand } from '../kernel/command.ts';
import { mcpPath } from '../kernel/service-paths.ts';
import { toolOf } from './mcp-tools.ts';

type Send = (request: Request, message: unknown) => Promise<Response>;
type Message = { method: string; params?: Readonly<Record<string, unknown>> };

const clientInfo = { name: 'signalbox', version: '0' };
const newestProtocol = '2026-07-28';
const _meta = {
  [PROTOCOL_VERSION_META_KEY]: newestProtocol,
  [CLIENT_INFO_META_KEY]: clientInfo,
  [CLIENT_CAPABILITIES_META_KEY]: {},
};
/** The first messages of clients of both generations. */
const messages: readonly Message[] = [
  { method: 'ping' },
  { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { method: 'tools/list' },
  { method: 'server/discover', params: { _meta } },
  { method: 'tools/list', params: { _meta } },
];

const checks = [
  isJSONRPCRequest,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  isJSONRPCErrorResponse,
  isInitializeRequest,
];

/** These caches are per process. */
let isWarm = false;

/**
 * The library and our tool schemas initialise on first use, which blocks the loop for 70 ms or more. This does it at start-up, in parts, one per
 * turn of the event loop.
 */
export async function warmUpMcp(
  send: Send,
  tools: readonly AnyCommand<never>[],
  isClosed: () => boolean,
): Promise<void> {
  if (isWarm) return;
  isWarm = true;
  for (const step of warmUpSteps(send, tools)) {
    await nextTurn();
    if (isClosed()) return;
    await step();
  }
}

export const warmUpSteps = (send: Send, tools: readonly AnyCommand<never>[]): Array<() => unknown> => [
  () => requestOf({ method: '' }),
  ...checks.map((check) => () => check({})),
  ...tools.map((tool) => () => toolOf(tool)),
  ...messages.map((message) => () => answered(send, message)),
];

function requestOf({ method, params }: Message): Request {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(params?._meta !== undefined && { 'mcp-protocol-version': newestProtocol, 'mcp-method': method }),
  };
  return new Request(`http://localhost${mcpPath}`, { method: 'POST', headers });
}

async function answered(send: Send, message: Message): Promise<void> {
  const answer = await send(requestOf(message), { jsonrpc: '2.0', id: 0, ...message });
  await answer.text();
}
