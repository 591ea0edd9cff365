import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { type AnyCommand, type Caller, unknownCaller } from '../kernel/command.ts';
import { type CallOrigin, type DispatchContext, dispatch } from '../kernel/dispatch.ts';
import { isDocument } from '../kernel/document.ts';
import { isObject } from '../kernel/is-object.ts';
import { isRefusal, type Refusal, refuseShape } from '../kernel/outcome.ts';
import { problemOf } from './problem.ts';
import {
  boundedAnswer,
  defaultBytes,
  documentAnswer,
  maxAnswerBytes,
  type Paged,
  type ToolAnswer,
} from './tool-answer.ts';
import { toolSchema } from './tool-schema.ts';
import { untrustedIn, untrustedInRefusal } from './untrusted.ts';

const defaultPageSize = 20;

/** Built once for each command: clients request the list again and again, and it never changes. */
const toolCache = new WeakMap<AnyCommand<never>, Tool>();

export function toolOf(command: AnyCommand<never>): Tool {
  const cached = toolCache.get(command);
  if (cached) return cached;
  const { name, description, effect } = command;
  const isRead = effect === 'read';
  const isIdempotent = command.repeatable === true || command.destructive === true;
  // The protocol's defaults are omitted: that a tool writes, and that it is not idempotent.
  const annotations = {
    ...(isRead
      ? { readOnlyHint: true }
      : { destructiveHint: command.destructive === true, ...(isIdempotent && { idempotentHint: true }) }),
    openWorldHint: false,
  };
  const tool = { name, title: titleOf(name), description, inputSchema: toolSchema(command), annotations };
  toolCache.set(command, tool);
  return tool;
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Every command that is a tool, or only those of the work loop: `?tools=work` saves an agent most of the tokens. */
export function toolsOf<Ctx>(commands: readonly AnyCommand<Ctx>[], which: string | null): readonly AnyCommand<Ctx>[] {
  const tools = commands.filter((command) => command.mcp !== false);
  return which === 'work' ? tools.filter((command) => command.gate === 'workLoop') : tools;
}

/** The caller, and the repository of its connection. */
export type ToolCaller = { by: CallOrigin; caller?: Caller; repository?: string | null };

export async function callTool<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  given: Record<string, unknown>,
  { by, caller = unknownCaller, repository = null }: ToolCaller,
): Promise<CallToolResult> {
  const { requestId, maxBytes = defaultBytes, ...all } = given;
  const { brief, args } = briefOf(command, all);
  const members = toolMembersOf(requestId, maxBytes);
  if (isRefusal(members)) return refusalResult(members);
  const misused = checkRepository(repository);
  if (misused) return refusalResult(misused);
  const input = { ...defaultsOf(command, repository), ...args };
  const out = await dispatch(command, ctx, input, {
    transport: 'mcp',
    key: members.key,
    caller,
    by,
  });
  if (isRefusal(out)) return refusalResult(out);
  const answer = async (bytes: number) =>
    isDocument(out)
      ? documentAnswer(out, command.input.safeParse(input).data?.format, bytes)
      : boundedAnswer(brief && isObject(out) ? shortened(out, brief) : out, bytes, pagedBy(command, input));
  const stale = staleOf(ctx);
  const room = members.maxBytes - (stale ? JSON.stringify(stale).length : 0);
  const { body, text } = await withUntrusted(answer, brief?.output ?? command.output, room);
  const marked = stale && { ...body, ...stale };
  return {
    structuredContent: marked ?? body,
    content: [{ type: 'text', text: marked ? JSON.stringify(marked) : text }],
  };
}

type Brief = NonNullable<AnyCommand<never>['brief']>;

/** How the answer of a tool is shortened, and its input without the member for that. */
function briefOf<Ctx>({ brief }: AnyCommand<Ctx>, all: Record<string, unknown>): BriefCall {
  if (!brief || (all.view !== undefined && all.view !== 'full' && all.view !== 'brief')) return { args: all };
  const { view, ...args } = all;
  return view === 'full' ? { args } : { brief, args };
}

type BriefCall = { brief?: Brief; args: Record<string, unknown> };

/** Dispatch itself adds the list of ignored members. */
const shortened = (out: object, { of }: Brief): object => ({
  ...of(out),
  ...('ignored' in out && { ignored: out.ignored }),
});

/** Marks the answer while the store cannot be reached, so that an agent does not mistake old data for current data. */
function staleOf({ freshness }: DispatchContext): { stale: { since: string } } | undefined {
  const since = freshness?.().staleSince ?? null;
  return since === null ? undefined : { stale: { since } };
}

/** Lists the members written by others, within the same limit. A document is read only once: it cannot be requested again. */
async function withUntrusted(
  answer: (bytes: number) => Promise<ToolAnswer>,
  output: z.ZodType,
  maxBytes: number,
): Promise<ToolAnswer> {
  const room = maxBytes < roomyAnswer ? maxBytes - everythingBytes : maxBytes - untrustedBytes;
  const { body, text } = await answer(room);
  const left = Math.max(maxBytes - Buffer.byteLength(text), everythingBytes);
  const untrusted = untrustedIn(body, output, Math.min(untrustedBytes, left) - memberBytes);
  if (untrusted.length === 0) return { body, text };
  const marked = { ...body, untrusted };
  return { body: marked, text: JSON.stringify(marked) };
}

/** Bytes reserved in an answer for the names of the members that others wrote. */
const untrustedBytes = 320;
/** In a smaller answer `*` replaces the names if they do not fit. */
const roomyAnswer = 1_024;
const memberBytes = ',"untrusted":'.length;
const everythingBytes = memberBytes + '["*"]'.length;

/** The next page of a paged object begins where the last one ended. */
function pagedBy<Ctx>({ pages }: AnyCommand<Ctx>, { offset }: Record<string, unknown>): Paged | undefined {
  return pages === undefined ? undefined : { list: pages, from: typeof offset === 'number' ? offset : 0 };
}

/** The default extent of a tool's answer: a page of a list, the recent part of a board, the work of one repository. */
function defaultsOf<Ctx>({ input, output, gate }: AnyCommand<Ctx>, repository: string | null): Record<string, unknown> {
  const members = Object.entries<z.ZodType>(input.shape);
  const own = members.map(([name, schema]) => [name, schema.meta()?.['x-toolDefault']] as const);
  return {
    ...('limit' in input.shape && output.meta()?.list === true && { limit: defaultPageSize }),
    ...(repository !== null && gate === 'workLoop' && 'repository' in input.shape && { repository }),
    ...Object.fromEntries(own.filter(([, value]) => value !== undefined)),
  };
}

function toolMembersOf(key: unknown, maxBytes: unknown): { key: string | undefined; maxBytes: number } | Refusal {
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > 200)) {
    return refuseShape([{ path: 'requestId', message: 'must be a string of 1 to 200 characters' }]);
  }
  if (typeof maxBytes !== 'number' || !Number.isInteger(maxBytes) || maxBytes < 256 || maxBytes > maxAnswerBytes) {
    return refuseShape([{ path: 'maxBytes', message: `must be a whole number from 256 to ${maxAnswerBytes}` }]);
  }
  return { key, maxBytes };
}

function checkRepository(repository: string | null): Refusal | undefined {
  if (repository === null || /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repository)) return undefined;
  const message = 'must be owner/name in the address of this connection; correct it in the configuration of the client';
  return refuseShape([{ path: 'repository', message }]);
}

export function refusalResult(refusal: Refusal): CallToolResult {
  const untrusted = untrustedInRefusal(refusal);
  const problem = { ...problemOf(refusal), ...(untrusted.length > 0 && { untrusted }) };
  return { isError: true, structuredContent: problem, content: [{ type: 'text', text: JSON.stringify(problem) }] };
}
