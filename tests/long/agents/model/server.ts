import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chatCompletions } from './chat-completions.ts';
import type { Answer, Body, Conversation, Dialect } from './conversation.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import { answerOf, positionOf, type Script } from './script.ts';

export type ScriptedModel = AsyncDisposable & {
  url: string;
  /** Sets the answers to a prompt that names this script. */
  plays(name: string, script: Script): void;
  /** Every request so far, for the message of a failed scene. */
  log(): readonly string[];
};

/** A model that plays scripts, on a free port of the loopback. Its format is the same as that of a real model. */
export async function startModel(): Promise<ScriptedModel> {
  const scripts = new Map<string, Script>();
  const log: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response, scripts, log).catch((fault) => {
      log.push(`${request.url} failed: ${fault}`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plays: (name, script) => void scripts.set(name, script),
    log: () => log,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const dialects: readonly [RegExp, Dialect][] = [
  [/\/messages$/, anthropic],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chatCompletions],
  [/:(streamG|g)enerateContent$/, gemini],
];
/** Small questions that some programs ask outside the conversation. */
const asides: readonly [RegExp, object][] = [
  [/\/count_tokens$/, { input_tokens: 1_234 }],
  [/:countTokens$/, { totalTokens: 1_234 }],
  [/\/models$/, { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] }],
];

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scripts: ReadonlyMap<string, Script>,
  log: string[],
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const body = await bodyOf(request);
  const aside = asides.find(([pattern]) => pattern.test(path))?.[1];
  const dialect = dialects.find(([pattern]) => pattern.test(path))?.[1];
  if (aside) return send(response, 200, aside);
  if (!dialect) {
    log.push(`${request.method} ${path}: not known`);
    return send(response, 404, { error: { type: 'not_found_error', message: `no ${request.method} ${path}` } });
  }
  const conversation = dialect.conversation(body);
  const next = await nextAnswer(conversation, scripts);
  log.push(`${path} (${conversation.tools.length} tools) -> ${JSON.stringify(next).slice(0, 300)}`);
  if (body.stream !== true && !path.includes('streamGenerate')) return send(response, 200, dialect.whole(next, body));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of dialect.events(next, body)) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event ? `event: ${event}\n` : ''}data: ${text}\n\n`);
  }
  response.end();
}

async function nextAnswer(conversation: Conversation, scripts: ReadonlyMap<string, Script>): Promise<Answer> {
  // Titles and topics are requested without tools.
  if (conversation.tools.length === 0) return { text: '{"title":"Scripted","isNewTopic":false}' };
  const position = positionOf(conversation);
  const script = position && scripts.get(position.name);
  if (!script) return { text: `No script ${position?.name ?? 'was named'}.` };
  const step = script[position.at];
  if (!step) return { text: 'The script has ended.' };
  await step.after;
  return answerOf(step, position, conversation);
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return {};
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
