import type { YieldIfBusy } from '../event-loop/task.ts';
import { checkScope, type Identity, localIdentity, mayCall, withOwnLabels } from './access.ts';
import { auditName, isDenial, outcomeOf, type RecordAuditSoon, refOf } from './audit.ts';
import { type AnyCommand, type Caller, type Prepared, unknownCaller, withNodeRef, withPlanSlug } from './command.ts';
import type { EventLog, IdempotencyGuard } from './event-log.ts';
import { isObject } from './is-object.ts';
import { type Fault, isRefusal, type Refusal, RefusedError, refuse, refuseShape } from './outcome.ts';
import { faultsOf, valuesIn } from './shape.ts';

/** `asOf` is the time of the state in memory; `staleSince` is when the store became unreachable, null while it is reachable. */
export type Freshness = { host: string; asOf: string; staleSince: string | null; ageSeconds: number };

/** The part of a context that dispatch itself needs. A console has neither licence nor log: its calls are idempotent by nature. */
export type DispatchContext = {
  licence?: () => { mode: LicenceGate; licence: Licence };
  log?: EventLog;
  /** Which host answers, and the time of its state. */
  freshness?: () => Freshness;
  idempotency?: { inProgress: CallsInProgress; digest: (text: string) => string };
  audit?: RecordAuditSoon;
  /** Waits for effects of a write that its caller expects to see next; undefined if there are none. */
  afterWrite?: () => Promise<unknown> | undefined;
  /** Lets other work run between reads that arrive together; if undefined, a read never waits. */
  yieldIfBusy?: YieldIfBusy;
};

type CallOptions = { key?: string | undefined; caller?: Caller | undefined };
/** External callers have an identity and an address; calls by this process itself are trusted. */
export type Call = CallOptions &
  ({ transport: 'direct'; by?: CallOrigin } | { transport: Exclude<Transport, 'direct'>; by: CallOrigin });
export type CallOrigin = { identity: Identity; address: string };

/** Bounds the cost of reporting validation errors. */
const defaultMaxInputValues = 5_000;

/**
 * The only entry to commands, with one order of checks: scope, names, licence, size, shape, then the checks of the
 * command (existence, state).
 */
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

  const maxValues = command.rest?.maxValues ?? defaultMaxInputValues;
  if (valuesIn(labelled, maxValues) > maxValues) {
    return refuse('body_too_large', `The input has more than ${maxValues} values. Send less at once.`);
  }

  // Most commands have nothing to prepare and run within this turn of the event loop.
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

/** The input with the member names of its schema. */
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

/** The fault for an agent name that is too long. */
export const agentTooLong = 'must be at most 200 characters';

/** If one member is the whole REST body, paths of faults start inside it, also over MCP: `title`, not `document.title`. */
export function refuseInput<Ctx>(command: AnyCommand<Ctx>, faults: readonly Fault[]): Refusal {
  const whole = command.rest?.body;
  const errors = whole === undefined ? faults : faults.map((fault) => within(fault, whole));
  const noAgent = errors.some(({ path, message }) => path === 'agent' && message !== agentTooLong);
  if (noAgent && 'agent' in command.input.shape) {
    return refuseShape(errors, 'agent_required', 'Pass your name as agent, 1 to 200 characters.');
  }
  return refuseShape(errors);
}

/** If the whole body is missing there is no path, so the message names the member. */
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

/** A text that is equal for equal calls, in any order of their members. */
export function callText(command: string, input: unknown): string {
  if (isObject(input) && Object.values(input).every(isScalar)) return `${command} ${JSON.stringify(sorted(input))}`;
  return `${command} ${JSON.stringify(input, (_, value) => (isObject(value) ? sorted(value) : value))}`;
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

const sorted = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Calls in progress by key: a second call with the same key waits for the first instead of running concurrently. */
export type CallsInProgress = Map<string, { fingerprint: string; answer: Promise<unknown> }>;

type GuardedCall = {
  log: EventLog;
  inProgress: CallsInProgress;
  run: (log: EventLog) => Promise<unknown>;
  commitsRepeatedly: boolean;
  replays: (answer: unknown) => boolean;
  recall: () => unknown;
  /** Whether a call with a lost answer may run again: its effect has ended, or repeating it is harmless. */
  mayRunAgain: boolean;
};

/**
 * Runs a call at most once per key. The first answer is stored with its events, so it survives a restart; a refused
 * call stored nothing and runs again.
 */
export async function runOnce(guard: IdempotencyGuard, calls: GuardedCall): Promise<unknown> {
  const { inProgress } = calls;
  for (;;) {
    const running = inProgress.get(guard.key);
    if (!running) break;
    if (running.fingerprint !== guard.fingerprint) return refuseReusedKey(guard.key);
    await running.answer.catch(() => undefined);
  }
  const answer = replayOrRun(guard, calls);
  inProgress.set(guard.key, { fingerprint: guard.fingerprint, answer });
  try {
    return await answer;
  } finally {
    inProgress.delete(guard.key);
  }
}

async function replayOrRun(guard: IdempotencyGuard, calls: GuardedCall): Promise<unknown> {
  const looked = calls.log.rememberedAnswer(guard.key);
  const before = looked instanceof Promise ? await looked : looked;
  if (!before) return runFirst(guard, calls);
  if (before.fingerprint !== guard.fingerprint) return refuseReusedKey(guard.key);
  const answer = before.answer ?? (await calls.recall());
  if (answer === undefined && !calls.mayRunAgain) return refuseLostAnswer(guard.key);
  return answer !== undefined && calls.replays(answer) ? answer : runGuarded(guard, calls);
}

/** The refusal may be caused by the same call, which another host wrote after the key was looked up. */
async function runFirst(guard: IdempotencyGuard, calls: GuardedCall): Promise<unknown> {
  const answer = await runGuarded(guard, calls);
  if (!isRefusal(answer)) return answer;
  const since = await calls.log.rememberedAnswer(guard.key);
  return since?.fingerprint === guard.fingerprint ? (since.answer ?? (await calls.recall()) ?? answer) : answer;
}

/** The commit of a call with a key includes the key, so no handler can forget it. */
async function runGuarded(
  guard: IdempotencyGuard,
  { log, run, commitsRepeatedly: commitsOften }: GuardedCall,
): Promise<unknown> {
  if (!commitsOften) return run({ ...log, commit: (decide) => log.commit(decide, guard) });
  const answer = await run(log);
  return isRefusal(answer) ? answer : log.commit(() => ({ append: [], answer: () => answer }), guard);
}

/** The events were written, so the call must not run again; its answer was lost when the process ended. */
const refuseLostAnswer = (key: string): Refusal =>
  refuse(
    'idempotency_conflict',
    `The first call with the key ${key} was written, but its answer was lost in a crash. Read the current state; use a new key for any other call.`,
  );

const refuseReusedKey = (key: string): Refusal =>
  refuse('idempotency_conflict', `The key ${key} was used for another call. Use a new key for each different call.`);

export type LicenceGate = 'workLoop' | 'record' | 'off';
export type LicenceState = 'valid' | 'missing' | 'invalid' | 'expired';
/** The current state of the licence. */
export type Licence = { state: LicenceState; edition: string | null; expiresAt: string | null; holder: string | null };

export type Transport = 'rest' | 'mcp' | 'socket' | 'direct';

export function isGated(
  command: Pick<AnyCommand<never>, 'gate' | 'effect' | 'rest'>,
  mode: LicenceGate,
  transport: Transport,
): boolean {
  if (mode === 'off' || command.gate === 'never') return false;
  if (command.gate === 'workLoop') return true;
  if (mode !== 'record') return false;
  // A call on a socket counts as a REST call if the command has a route, otherwise as a tool call.
  const isTool = transport === 'mcp' || (transport === 'socket' && !command.rest);
  return isTool || (command.effect === 'write' && command.gate === 'record');
}

const refusalTexts = {
  missing: ['licence_required', 'This call needs a licence, but none is set.'],
  invalid: ['licence_invalid', 'The licence was not signed by the expected key, or it cannot be read.'],
  expired: ['licence_expired', 'The licence has expired.'],
} as const;

/** The refusal (402) of every gated call, the same over REST and MCP. */
export function refuseLicence({ state, edition, expiresAt }: Licence): Refusal | undefined {
  if (state === 'valid') return undefined;
  const [code, what] = refusalTexts[state];
  return refuse(
    code,
    `${what} Set Service:Licence to a valid licence, or remove that key to use the community licence.`,
    {
      licence: { state, edition, expiresAt },
    },
  );
}
