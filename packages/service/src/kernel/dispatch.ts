import type { YieldIfBusy } from '../event-loop/task.ts';
import { checkScope, type Identity, localIdentity, mayCall, withOwnLabels } from './access.ts';
import { auditName, isDenial, outcomeOf, type RecordAuditSoon, refOf } from './audit.ts';
import type { AnyCommand, Prepared } from './command.ts';
import { type Caller, unknownCaller } from './command.ts';
import { valuesIn } from './count-values.ts';
import type { EventLog } from './event-log.ts';
import { type CallsInProgress, callText, runOnce } from './idempotency.ts';
import { isObject } from './is-object.ts';
import { isGated, type Licence, type LicenceGate, refuseLicence, type Transport } from './licence-gate.ts';
import { withNodeRef, withPlanSlug } from './node-ref.ts';
import { type Fault, isRefusal, type Refusal, RefusedError, refuse, refuseShape } from './outcome.ts';
import { faultsOf } from './shape.ts';

/** `asOf` is the time of what memory holds; `staleSince` is since when the store cannot be reached, null while it can. */
export type Freshness = { host: string; asOf: string; staleSince: string | null; ageSeconds: number };

/** What dispatch itself needs of a context. A console has neither licence nor log: its calls are idempotent by nature. */
export type DispatchContext = {
  licence?: () => { mode: LicenceGate; licence: Licence };
  log?: EventLog;
  /** Which host answers, and as of when. */
  freshness?: () => Freshness;
  idempotency?: { inProgress: CallsInProgress; digest: (text: string) => string };
  audit?: RecordAuditSoon;
  /** Waits for what a write begins and its caller expects to see next; undefined where it began nothing. */
  afterWrite?: () => Promise<unknown> | undefined;
  /** Concurrent reads are answered one after the other, with other work in between; undefined: at once. */
  yieldIfBusy?: YieldIfBusy;
};

type CallOptions = { key?: string | undefined; caller?: Caller | undefined };
/** External callers have an identity and an address; calls by this process itself are trusted. */
export type Call = CallOptions &
  ({ transport: 'direct'; by?: CallOrigin } | { transport: Exclude<Transport, 'direct'>; by: CallOrigin });
export type CallOrigin = { identity: Identity; address: string };

/** Bounds the cost of reporting validation errors. */
const defaultMaxInputValues = 5_000;

/** The one way in, with one order of checks: scope, names, licence, size, shape, then what the command finds (existence, state). */
export async function dispatch<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  raw: unknown,
  call: Call,
): Promise<unknown> {
  if (!ctx.audit || call.by === undefined || call.transport === 'direct') return answerCall(command, ctx, raw, call);
  const { identity, address } = call.by;
  const entry = { name: auditName(identity), address, door: call.transport, command: command.name };
  let outcome = 'internal';
  let answer: unknown;
  try {
    answer = await answerCall(command, ctx, raw, call);
    outcome = outcomeOf(answer);
    return answer;
  } finally {
    const isQuiet = command.auditsOnly === 'refusals' && !isRefusal(answer);
    if ((command.effect === 'write' && !isQuiet) || isDenial(outcome)) {
      await ctx.audit({ ...entry, ref: refOf(raw, answer), outcome });
    }
  }
}

async function answerCall<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  raw: unknown,
  call: Call,
): Promise<unknown> {
  const identity = call.by?.identity ?? localIdentity;
  const forbidden = checkScope(identity, command.name, command.scope);
  if (forbidden) return forbidden;
  const isLabelled = isObject(raw) && command.effect === 'write';
  const forOthers = command.adminForOthers === true && mayCall(identity, 'admin');
  const labelled = isLabelled ? withOwnLabels(command.input.shape, raw, identity, forOthers) : raw;
  if (isRefusal(labelled)) return labelled;
  const unlicensed = checkLicence(command, ctx, call.transport);
  if (unlicensed) return unlicensed;

  const mostValues = command.rest?.values ?? defaultMaxInputValues;
  if (valuesIn(labelled, mostValues) > mostValues) {
    return refuse('body_too_large', `The input has more than ${mostValues} values. Send less at once.`);
  }

  // Most have nothing to prepare, and are run without a turn in between.
  const named = isObject(labelled) ? namedInput(command, labelled) : { raw: labelled, ignored: [] };
  if ('faults' in named) return refuseInput(command, named.faults);
  const ready: Prepared<unknown> =
    command.prepare && isObject(named.raw) ? await command.prepare(ctx, named.raw) : named;
  const refused = (faults: readonly Fault[]) =>
    refuseInput(command, command.explainFaults?.(ctx, named.raw, faults) ?? faults);
  if ('faults' in ready) return refused(ready.faults);
  const parsed = command.input.safeParse(ready.raw, { reportInput: true });
  if (!parsed.success) return refused(faultsOf(parsed.error, command.input));
  const input = ready.complete?.(parsed.data) ?? parsed.data;
  const needsMore = command.scopeFor && checkScope(identity, command.name, command.scopeFor(input));
  if (needsMore) return needsMore;

  if (command.effect === 'read') {
    const turn = ctx.yieldIfBusy?.();
    if (turn) await turn;
  }
  const caller = callerOf(call, identity, forOthers);
  const run = async (on: Ctx): Promise<unknown> => {
    try {
      const answer = await command.run(on, input, caller);
      if (command.effect === 'write') await ctx.afterWrite?.();
      const isPlain = named.ignored.length === 0 || isRefusal(answer) || !isObject(answer);
      return isPlain ? answer : { ...answer, ignored: named.ignored };
    } catch (fault) {
      if (fault instanceof RefusedError) return fault.refusal;
      throw fault;
    }
  };
  if (command.effect === 'read' || call.key === undefined || !ctx.log || !ctx.idempotency) return run(ctx);
  const guard = { key: call.key, fingerprint: ctx.idempotency.digest(callText(command.name, named.raw)) };
  return runOnce(guard, {
    log: ctx.log,
    inProgress: ctx.idempotency.inProgress,
    run: (log) => run({ ...ctx, log }),
    commitsRepeatedly: command.commitsRepeatedly ?? false,
    replays: (answer) => command.replays?.(ctx, answer) ?? true,
    recall: () => command.recall?.(ctx, input, caller),
    mayRunAgain: command.replays !== undefined || command.commitsRepeatedly === true,
  });
}

const callerOf = (call: Call, identity: Identity, forOthers: boolean): Caller => ({
  ...(call.caller ?? unknownCaller),
  token: identity.name,
  mayAuthor: mayCall(identity, 'author'),
  forOthers,
});

type NamedInput = { raw: Readonly<Record<string, unknown>>; ignored: readonly string[] } | { faults: readonly Fault[] };

/** The input by the names that its schema has. */
function namedInput<Ctx>(command: AnyCommand<Ctx>, given: Readonly<Record<string, unknown>>): NamedInput {
  const { raw: read, ignored } = command.fromRead?.(given) ?? { raw: given, ignored: [] };
  const withPlan = withPlanSlug(command, read);
  if ('faults' in withPlan) return withPlan;
  const withRef = withNodeRef(command, withPlan.raw);
  return 'faults' in withRef ? withRef : { raw: withRef.raw, ignored };
}

/** Checked before the input, so that a transport can refuse before it reads the body. */
export function checkLicence<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  transport: Transport,
): Refusal | undefined {
  const now = ctx.licence?.();
  return now && isGated(command, now.mode, transport) ? refuseLicence(now.licence) : undefined;
}

/** The fault of an agent that is named, though by too long a name. */
export const agentTooLong = 'must be at most 200 characters';

/** A body that is one member is faulted by its own paths: what REST calls `title` is not `document.title` over MCP. */
export function refuseInput<Ctx>(command: AnyCommand<Ctx>, faults: readonly Fault[]): Refusal {
  const whole = command.rest?.body;
  const errors = whole === undefined ? faults : faults.map((fault) => within(fault, whole));
  const noAgent = errors.some(({ path, message }) => path === 'agent' && message !== agentTooLong);
  if (noAgent && 'agent' in command.input.shape) {
    return refuseShape(errors, 'agent_required', 'Pass your name as agent, 1 to 200 characters.');
  }
  return refuseShape(errors);
}

/** When the whole body is missing no path is left, so the message names the member. */
const within = (fault: Fault, member: string): Fault =>
  fault.path === member && fault.message === 'is required'
    ? { path: '', message: `${member} is required` }
    : { ...fault, path: inside(fault.path, member) };

const inside = (path: string, member: string): string =>
  path === member
    ? ''
    : path.startsWith(`${member}.`)
      ? path.slice(member.length + 1)
      : path.startsWith(`${member}[`)
        ? path.slice(member.length)
        : path;
