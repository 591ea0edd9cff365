import type { AnyCommand } from './command.ts';
import type { EventLog } from './event-log.ts';
import { callText, once, type UnderWay } from './idempotency.ts';
import { type Door, isGated, type Licence, type LicenceGate, refuseLicence } from './licence.ts';
import { type Fault, type Refusal, Refused, refuseShape } from './outcome.ts';
import { faultsOf } from './shape.ts';

/** What dispatch itself needs of a context. A console has neither licence nor log: its calls are idempotent by nature. */
export type DispatchContext = {
  licence?: () => { mode: LicenceGate; licence: Licence };
  log?: EventLog;
  /** How many seconds memory may be behind a store that cannot be reached; null while it is not. */
  ageSeconds?: () => number | null;
  keys?: { underWay: UnderWay; digest: (text: string) => string };
};

export type Call = { door: Door; key?: string | undefined };

/** The one way in, with one order of checks: licence, shape, then what the command finds (existence, state). */
export async function dispatch<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  raw: unknown,
  call: Call,
): Promise<unknown> {
  const unlicensed = checkLicence(command, ctx, call.door);
  if (unlicensed) return unlicensed;

  // Most have nothing to prepare, and are run without a turn in between.
  const ready = command.prepare && isObject(raw) ? await command.prepare(ctx, raw) : { raw };
  if ('faults' in ready) return misshapen(command, ready.faults);
  const parsed = command.input.safeParse(ready.raw, { reportInput: true });
  if (!parsed.success) return misshapen(command, faultsOf(parsed.error, command.input));

  const run = async (on: Ctx): Promise<unknown> => {
    try {
      return await command.run(on, parsed.data);
    } catch (fault) {
      if (fault instanceof Refused) return fault.refusal;
      throw fault;
    }
  };
  if (command.effect === 'read' || call.key === undefined || !ctx.log || !ctx.keys) return run(ctx);
  const guard = { key: call.key, fingerprint: ctx.keys.digest(callText(command.name, raw)) };
  return once(guard, {
    log: ctx.log,
    underWay: ctx.keys.underWay,
    run: (log) => run({ ...ctx, log }),
    commitsOften: command.commitsOften ?? false,
    replays: (answer) => command.replays?.(ctx, answer) ?? true,
    recall: () => command.recall?.(ctx, parsed.data),
    runsAnew: command.replays !== undefined || command.commitsOften === true,
  });
}

/** The licence comes before the shape: a door that reads bodies itself asks before it reads. */
export function checkLicence<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  door: Door,
): Refusal | undefined {
  const now = ctx.licence?.();
  return now && isGated(command, now.mode, door) ? refuseLicence(now.licence) : undefined;
}

/** A body that is one member is faulted by its own paths: what REST calls `title` is not `document.title` over MCP. */
export function misshapen<Ctx>(command: AnyCommand<Ctx>, faults: readonly Fault[]): Refusal {
  const whole = command.rest?.body;
  const errors = whole === undefined ? faults : faults.map((fault) => within(fault, whole));
  const noAgent = errors.some((fault) => fault.path === 'agent');
  if (noAgent && 'agent' in command.input.shape) {
    return refuseShape(errors, 'agent_required', 'Say who you are: agent must be a text of 1 to 200 characters.');
  }
  return refuseShape(errors);
}

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** What is missing as a whole has no path left, so it is named. */
const within = ({ path, message }: Fault, member: string): Fault =>
  path === member && message === 'is required'
    ? { path: '', message: `${member} is required` }
    : { path: inside(path, member), message };

const inside = (path: string, member: string): string =>
  path === member
    ? ''
    : path.startsWith(`${member}.`)
      ? path.slice(member.length + 1)
      : path.startsWith(`${member}[`)
        ? path.slice(member.length)
        : path;
