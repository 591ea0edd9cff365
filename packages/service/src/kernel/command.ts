import type { z } from 'zod';
import type { RequiredScope } from './access.ts';
import type { Fault, Refusal, RefusalCode } from './outcome.ts';

/**
 * Which calls need a licence. `workLoop`: always. `record`: only under the rule of record, which gates every MCP tool
 * and every mutating endpoint. `relay`: under that rule as a tool, never as an endpoint. `never`: hooks and webhooks.
 */
export type Gate = 'workLoop' | 'record' | 'relay' | 'never';

/** A call that succeeds, or is refused with the given code, after the `given` calls. Documentation and test in one. */
export type Example = {
  title: string;
  given?: ReadonlyArray<readonly [command: string, input: object]>;
  input: object;
  refused?: RefusalCode;
};

export type Rest<Out = unknown> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{member}` takes its value from the path. */
  path: string;
  /** Members that come from the query; all others make up the body. */
  query?: readonly string[];
  /** The member that holds the whole body, if the body is a document. */
  body?: string;
  /** The numeric query member that the header `If-Match` sets. */
  ifMatch?: string;
  /** A body of any text type, or without a type, is read as JSON: `curl --data` sends such a body. */
  anyTextIsJson?: true;
  /** Media types accepted in addition to `application/json`. */
  accepts?: readonly string[];
  /** Largest body in bytes; default 1 MiB. */
  maxBytes?: number;
  /** The maximum number of values in its input; default 5,000. */
  maxValues?: number;
  /** The status of an answer; default 200. 204 sends no body. */
  status?: number | ((out: Out) => number);
  /** Every status below 300 that it returns, if the status depends on the answer. */
  statuses?: readonly number[];
  /** A status above 2xx with a regular answer instead of a problem object. */
  alternateResponse?: { status: number; output: z.ZodType };
  /** The media types of an answer that is a document. */
  responseTypes?: readonly string[];
  /** The headers by name, in lower case; null if an answer lacks the header. */
  headers?: Readonly<Record<string, (out: Out) => string | null>>;
};

/** `raw` is validated by the schema; `complete` adds the members that were already read and are missing from `raw`. */
export type Prepared<Input> = { raw: unknown; complete?: (input: Input) => Input } | { faults: readonly Fault[] };

export type Command<Ctx, In extends z.ZodObject = z.ZodObject, Out = unknown, Name extends string = string> = {
  /** `claim_node`: the MCP tool, the key in logs, the word on the command line. */
  name: Name;
  /** One or two sentences: the description of the tool and of the OpenAPI operation. An agent pays for each word. */
  description: string;
  effect: 'read' | 'write';
  /** The scope that a caller needs. */
  scope: RequiredScope;
  /** Whether an admin may call it on behalf of somebody else, for example somebody who left. */
  adminForOthers?: boolean;
  /** The scope that this input requires, if it is more than `scope`. */
  scopeFor?(input: z.output<In>): RequiredScope;
  gate: Gate;
  input: In;
  output: z.ZodType<Out>;
  rest?: Rest<Out>;
  /** The list that `limit` and `offset` page, if the answer is an object. */
  pages?: keyof Out & string;
  /** Whether it removes something: archives, removes, ejects, revokes. */
  destructive?: true;
  /** Calling it twice with the same input has the same effect as calling it once, as for every read. */
  repeatable?: true;
  /** Sent by machines many times a minute: successful calls are not audited. */
  auditsOnly?: 'refusals';
  /**
   * Whether it answers only when something happens or when its time is over; callers get progress messages until then.
   */
  waits?: true;
  /**
   * The name and arguments of the same tool in other consoles with this interface; it can be called by that name, but
   * is not listed.
   */
  otherTool?: { name: string; arguments?(given: Record<string, unknown>): Record<string, unknown> };
  /** The shorter answer that its tool gives without `view: "full"`, because an agent pays for every word. */
  brief?: { output: z.ZodType; of(out: Out): object };
  /** Adds to each fault of a document the node it concerns, and the faults that can be found only once the shape is right. */
  explainFaults?(ctx: Ctx, raw: unknown, faults: readonly Fault[]): readonly Fault[];
  /** False if it is not a tool. */
  mcp?: false;
  /** Accepts the output of a read as input: members that only reads have are removed, and listed in the answer. */
  fromRead?(raw: Readonly<Record<string, unknown>>): { raw: Readonly<Record<string, unknown>>; ignored: string[] };
  /** Reads long members without blocking other calls; the rest of the input is validated afterwards. */
  prepare?(ctx: Ctx, raw: Readonly<Record<string, unknown>>): Promise<Prepared<z.output<In>>>;
  /** Whether a remembered answer may still be returned; default: always. */
  replays?(ctx: Ctx, answer: Out): boolean;
  /**
   * Set if it commits more than once. Its key is stored with the whole answer at the end, not with each commit. After a
   * crash the call runs again from the start, so repeating a commit must do no harm.
   */
  commitsRepeatedly?: true;
  /** The answer from the current state, for a call with a key whose events were written but whose answer was lost in a crash. */
  recall?(ctx: Ctx, input: z.output<In>, caller: Caller): Out | undefined | Promise<Out | undefined>;
  examples: readonly Example[];
  run(ctx: Ctx, input: z.output<In>, caller: Caller): Out | Refusal | Promise<Out | Refusal>;
};

export const statusOf = <Out>({ status = 200 }: Rest<Out>, out: Out): number =>
  typeof status === 'function' ? status(out) : status;

// biome-ignore lint/suspicious/noExplicitAny: a registry holds commands of every input and output
export type AnyCommand<Ctx> = Command<Ctx, any, any>;

/** Fixes the context once per room, so that each command infers its own name, input and output. */
export const commandFor =
  <Ctx>() =>
  <In extends z.ZodObject, Out, const Name extends string>(
    command: Command<Ctx, In, Out, Name>,
  ): Command<Ctx, In, Out, Name> =>
    command;

/** The caller, as far as its transport reports it. */
export type Caller = {
  /** The calling program, by its name on the board (`codex`, `claude-code`); null if unknown. */
  client: string | null;
  /** The session that the program reports as its own. */
  session: string | null;
  /** The program's own id of this tool call: the session whose records contain it is the caller's. */
  toolCall: string | null;
  /** The name of the caller's token; null without one. */
  token: string | null;
  /** The trace that it was called in, if any. */
  traceparent?: string | undefined;
  /** Whether the caller has the `author` scope; some calls are also allowed for the author of what they change. */
  mayAuthor?: boolean;
  /** Whether the caller is an admin who may act for somebody else. */
  forOthers?: boolean;
};

export const unknownCaller: Caller = { client: null, session: null, toolCall: null, token: null };

type Raw = Readonly<Record<string, unknown>>;

/** Whether a command names a node by its plan and its id. */
export const takesNodeRef = ({ input }: AnyCommand<never>): boolean => 'plan' in input.shape && 'node' in input.shape;

/** `ref: "plan/node"`, or the same text as `node` without a plan, means `plan` and `node`. */
export function withNodeRef(command: AnyCommand<never>, raw: Raw): { raw: Raw } | { faults: readonly Fault[] } {
  if (!takesNodeRef(command)) return { raw };
  const { ref, ...others } = raw;
  const short = raw.plan === undefined && typeof raw.node === 'string' && raw.node.includes('/') ? raw.node : undefined;
  const named = ref === undefined || ref === null ? short : ref;
  if (named === undefined) return { raw: ref === null ? others : raw };
  const [, plan, node] = typeof named === 'string' ? (/^([^/]+)\/([^/]+)$/.exec(named) ?? []) : [];
  if (plan === undefined || node === undefined)
    return { faults: [{ path: 'ref', message: 'must have the form plan/node' }] };
  const said = { plan, node };
  const differs = (['plan', 'node'] as const).find(
    (member) => others[member] !== undefined && others[member] !== named && !isSame(others[member], said[member]),
  );
  if (differs) return { faults: [{ path: 'ref', message: `differs from ${differs}; give only one of them` }] };
  return { raw: { ...others, ...said } };
}

/** `slug`, the name of a plan in every answer, is accepted for `plan` in every call. */
export function withPlanSlug({ input }: AnyCommand<never>, raw: Raw): { raw: Raw } | { faults: readonly Fault[] } {
  if (!('plan' in input.shape) || 'slug' in input.shape || raw.slug === undefined) return { raw };
  const { slug, ...others } = raw;
  const { plan } = others;
  if (plan === undefined || plan === null) return { raw: { ...others, plan: slug } };
  if (typeof slug === 'string' && isSame(plan, slug)) return { raw: others };
  return { faults: [{ path: 'slug', message: 'differs from plan; give only one of them' }] };
}

const isSame = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
