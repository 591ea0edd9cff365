import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import WebSocket from 'ws';
import { restRequest } from '../packages/service/src/browser/rest-request.ts';
import { routeOf } from '../packages/service/src/browser/route-of.ts';
import type { AnyCommand } from '../packages/service/src/kernel/command.ts';
import { undocumentedAnswer } from './documented-answers.ts';
import { noteSocketCalls } from './exercised.ts';
import type { Started } from './start.ts';

/** An answer of any transport: `refused` for a problem object, `body` with lists as plain arrays. */
export type TransportAnswer = { refused: boolean; body: unknown };
export type Transport = (command: AnyCommand<never>, input: Record<string, unknown>) => Promise<TransportAnswer>;

/** Sends the request that the command's REST entry describes, and checks that OpenAPI describes the answer. */
export const restTransport =
  ({ call }: Pick<Started, 'call'>): Transport =>
  async (command, input) => {
    if (!command.rest) throw new Error(`${command.name} has no REST route`);
    const { method, path, body, mediaType } = restRequest(routeOf(command.rest), input);
    const answer = await call(method, path, body, { 'content-type': mediaType });
    const untold = undocumentedAnswer(command, answer);
    if (untold) throw new Error(untold);
    const refused = answer.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    return { refused, body: answer.status === 204 ? {} : answer.body };
  };

export type McpClient = {
  callTool(ask: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
};

type ToolResult = { isError?: boolean; structuredContent: Record<string, unknown>; content: Array<{ text: string }> };

/** Calls the command's tool and undoes the paging of lists; also checks that text and structure agree. */
export const mcpTransport =
  (client: McpClient): Transport =>
  async (command, input) => {
    const result = (await client.callTool({
      name: command.name,
      arguments: { ...wholeView(command), ...input, ...(command.effect === 'read' ? { maxBytes: 1048576 } : {}) },
    })) as ToolResult;
    const { isError = false, structuredContent: whole, content } = result;
    if (content[0]?.text !== JSON.stringify(whole)) throw new Error('text and structuredContent differ');
    // Only tools list the members that others wrote.
    const { untrusted, ...structuredContent } = whole;
    const isPage =
      !isError && Array.isArray(structuredContent.items) && 'total' in structuredContent && 'next' in structuredContent;
    return { refused: isError, body: isPage ? structuredContent.items : structuredContent };
  };

/** Tools shorten lists unless the whole of each item is requested, as REST returns it. */
const wholeView = ({ input, brief }: AnyCommand<never>): object =>
  input.shape.view?.meta()?.['x-toolDefault'] === undefined && !brief ? {} : { view: 'full' };

/** The current client package, which negotiates the newest protocol. */
export async function newMcpClient(url: string, path = '/api/mcp'): Promise<NewClient> {
  const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new NewTransport(new URL(path, url)));
  return client;
}

/** The client package of the previous generation. */
export async function oldMcpClient(url: string, path = '/api/mcp'): Promise<OldClient> {
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(new OldTransport(new URL(path, url)) as Parameters<OldClient['connect']>[0]);
  return client;
}

type Response = { id: number | null; result?: unknown; error?: { code: number; message: string; data: unknown } };

/** A socket for sending requests and finding their answers by id; frames are kept as they arrived. */
export type RawSocket = AsyncDisposable & {
  frames: unknown[];
  send(frame: unknown): void;
  /** Waits for the answer to that id. */
  answer(id: number | null): Promise<Response>;
  /** Waits for a matching frame. */
  until(fits: (frame: unknown) => boolean): Promise<unknown>;
  /** Settles with the code when the other side closed. */
  closed: Promise<number>;
  ws: WebSocket;
};

export async function openSocket(
  url: string,
  headers: Record<string, string> = {},
  query = '',
  path = '/api/socket',
): Promise<RawSocket> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}${path}${query}`, { headers });
  const frames: unknown[] = [];
  const waiting = new Set<() => void>();
  const closed = new Promise<number>((resolve) => ws.once('close', resolve));
  ws.on('message', (text) => {
    frames.push(JSON.parse(String(text)));
    for (const look of waiting) look();
  });
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  const until = <Found>(find: () => Found | undefined): Promise<Found> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    ws,
    frames,
    closed,
    send(frame) {
      const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
      noteSocketCalls(text.slice(0, 100_000));
      ws.send(text);
    },
    answer: (id) => until(() => (frames.flat() as Response[]).find((one) => one.id === id)),
    until: (fits) => until(() => frames.find(fits)),
    async [Symbol.asyncDispose]() {
      ws.terminate();
      await closed;
    },
  };
}

/** Calls commands by their names on one socket. */
export function socketTransport(socket: RawSocket): Transport {
  let last = 0;
  return async (command, input) => {
    last += 1;
    socket.send({ jsonrpc: '2.0', id: last, method: command.name, params: input });
    const { result, error } = await socket.answer(last);
    return error ? { refused: true, body: error.data } : { refused: false, body: result };
  };
}
