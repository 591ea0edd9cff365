import { toNodeHandler } from '@modelcontextprotocol/node';
import { type CallToolResult, createMcpHandler, Server, type Tool } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { type Caller, unknownCaller } from '../kernel/caller.ts';
import type { AnyCommand } from '../kernel/command.ts';
import { type DispatchContext, dispatch } from '../kernel/dispatch.ts';
import { isDocument } from '../kernel/document.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../kernel/outcome.ts';
import { mcpCaller } from './mcp-caller.ts';
import { problemOf } from './problem.ts';
import { commandBodyLimit, sendRefusal } from './rest.ts';
import { boundedAnswer, defaultBytes, maxAnswerBytes, type Paged } from './tool-answer.ts';
import { documentAnswer } from './tool-document.ts';
import { toolSchema } from './tool-schema.ts';

export const mcpBodyLimit = 8 * 1024 * 1024;
const defaultPageSize = 20;
/** A message of a few bytes may ask for all the tools: more of them at once would only be made to cost us. */
const maxMessages = 100;

export const instructions =
  'Find work with next_ready_nodes or claim_next, take it with claim_node, tell progress with report_node before half the lease is over ' +
  '(it renews the lease), and release_node when you stop. Pass your session id. A node is done when its proof is observed, never by ' +
  'release. A claim lost to another is normal: take the next node.';

type Meta = Readonly<Record<string, unknown>>;

/** Made once for each command: clients ask for the list again and again, and it never changes. */
const toolCache = new WeakMap<AnyCommand<never>, Tool>();

export function toolOf(command: AnyCommand<never>): Tool {
  const cached = toolCache.get(command);
  if (cached) return cached;
  const { name, description, effect } = command;
  const annotations = effect === 'read' ? { annotations: { readOnlyHint: true } } : {};
  const tool = { name, description, inputSchema: toolSchema(command), ...annotations };
  toolCache.set(command, tool);
  return tool;
}

/** Every command that is a tool, or those of the work loop alone: `?tools=work` saves an agent most of the words. */
export function toolsOf<Ctx>(commands: readonly AnyCommand<Ctx>[], which: string | null): readonly AnyCommand<Ctx>[] {
  const tools = commands.filter((command) => command.mcp !== false);
  return which === 'work' ? tools.filter((command) => command.gate === 'workLoop') : tools;
}

/** Serves the registry as MCP tools, stateless, to clients of both generations. */
export function addMcp<Ctx extends DispatchContext>(
  app: FastifyInstance,
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  version: string,
): void {
  const handler = createMcpHandler(({ requestInfo }) => {
    const query = requestInfo ? new URL(requestInfo.url).searchParams : new URLSearchParams();
    const userAgent = requestInfo?.headers.get('user-agent') ?? null;
    const caller = (meta: Meta | undefined) => mcpCaller({ client: query.get('client'), userAgent }, meta);
    return serverOf(toolsOf(commands, query.get('tools')), ctx, version, caller);
  });
  const answer = toNodeHandler(handler, { maxRequestBodySize: mcpBodyLimit });
  app.addHook('onClose', () => handler.close());
  app.route({
    method: 'POST',
    url: '/api/mcp',
    bodyLimit: mcpBodyLimit,
    handler: async (request, reply) => {
      if (Array.isArray(request.body) && request.body.length > maxMessages)
        return sendRefusal(reply, refuse('body_too_large', `Send at most ${maxMessages} messages at once.`));
      const bytes = Number(request.headers['content-length'] ?? mcpBodyLimit);
      if (bytes > commandBodyLimit && !isLargeCall(commands, request.body)) return sendRefusal(reply, tooLarge);
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, String(value));
      await answer(request.raw as Parameters<typeof answer>[0], reply.raw, request.body);
    },
  });
}

/** Whether a message calls a command that takes as much over REST; each long text is copied several times on its way. */
function isLargeCall<Ctx>(commands: readonly AnyCommand<Ctx>[], message: unknown): boolean {
  const name = (message as { params?: { name?: unknown } } | null)?.params?.name;
  return (commands.find((command) => command.name === name)?.rest?.limit ?? 0) > commandBodyLimit;
}

const tooLarge = refuse('body_too_large', 'Only a call of import_plan may be larger than 1 MiB. Send less at once.');

function serverOf<Ctx extends DispatchContext>(
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  version: string,
  callerOf: (meta: Meta | undefined) => Caller,
): Server {
  const server = new Server({ name: 'signalbox', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', () => ({ tools: commands.map(toolOf) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const command = commands.find(({ name }) => name === params.name);
    if (command) return callTool(command, ctx, params.arguments ?? {}, callerOf(params._meta));
    return refusalResult(
      refuseShape([{ path: 'name', message: `there is no tool ${params.name}; tools/list names them` }]),
    );
  });
  return server;
}

export async function callTool<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  given: Record<string, unknown>,
  caller: Caller = unknownCaller,
): Promise<CallToolResult> {
  const { requestId, maxBytes = defaultBytes, ...args } = given;
  const misused = checkToolMembers(requestId, maxBytes);
  if (misused) return refusalResult(misused);
  const paged = { ...defaultsOf(command), ...args };
  const out = await dispatch(command, ctx, paged, { transport: 'mcp', key: requestId as string | undefined, caller });
  if (isRefusal(out)) return refusalResult(out);
  const { body, text } = isDocument(out)
    ? await documentAnswer(out, command.input.safeParse(paged).data?.format, maxBytes as number)
    : boundedAnswer(out, maxBytes as number, pagedBy(command, paged));
  return { structuredContent: body, content: [{ type: 'text', text }] };
}

/** The next page of an object that is one begins where the last one ended. */
function pagedBy<Ctx>({ pages }: AnyCommand<Ctx>, { offset }: Record<string, unknown>): Paged | undefined {
  return pages === undefined ? undefined : { list: pages, from: typeof offset === 'number' ? offset : 0 };
}

/** What a tool gives unless asked for more: a page of a list, the recent part of a board. */
function defaultsOf<Ctx>({ input, output }: AnyCommand<Ctx>): Record<string, unknown> {
  const members = Object.entries(input.shape as Record<string, z.ZodType>);
  const own = members.map(([name, schema]) => [name, schema.meta()?.['x-toolDefault']] as const);
  return {
    ...('limit' in input.shape && output.meta()?.list === true && { limit: defaultPageSize }),
    ...Object.fromEntries(own.filter(([, value]) => value !== undefined)),
  };
}

function checkToolMembers(requestId: unknown, maxBytes: unknown): Refusal | undefined {
  if (requestId !== undefined && (typeof requestId !== 'string' || requestId === '' || requestId.length > 200)) {
    return refuseShape([{ path: 'requestId', message: 'must be a text of 1 to 200 characters' }]);
  }
  if (!Number.isInteger(maxBytes) || (maxBytes as number) < 256 || (maxBytes as number) > maxAnswerBytes) {
    return refuseShape([{ path: 'maxBytes', message: `must be a whole number from 256 to ${maxAnswerBytes}` }]);
  }
  return undefined;
}

function refusalResult(refusal: Refusal): CallToolResult {
  const problem = problemOf(refusal);
  return { isError: true, structuredContent: problem, content: [{ type: 'text', text: JSON.stringify(problem) }] };
}
