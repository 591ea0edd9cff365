import { isObject } from '../../kernel/is-object.ts';
import { isRunId } from '../../run-contract/run-id.ts';
import { type MonitorEvent, monitorEvents } from './events.ts';
import { isShort } from './long-text.ts';
import { anything, checksFor, FastCheck, type MemberCheck } from './member-checks.ts';
import { type RunStamp, readStamp, stampType } from './run-stamp.ts';

/** An event that may be kept. `event` is null for one that is archived and not folded: of a type not known here, or about nothing. */
export type ParsedEvent = {
  runId: string;
  raw: Record<string, unknown>;
  event: MonitorEvent | null;
  /** A line that the console wrote itself; ingest takes none. */
  stamp?: RunStamp;
};

const namesScenario = /^(?:scenario|step|test)_|^retry_|^attachment$/;
const namesLane = /^lane_/;
const namesParticipant = /^participant_/;

const depthLimit = 64;
/** Consecutive events mostly have the same run id, so the last checked id is cached. */
let last: { runId: unknown; lower: string; isLower: boolean } = { runId: Symbol('none yet'), lower: '', isLower: true };

/** Reads one event of a batch leniently. Returns the reason as text when it must be rejected. */
export function readEvent(raw: unknown): ParsedEvent | string {
  if (!isObject(raw)) return 'an event is an object';
  const { runId, type } = raw;
  if (runId !== last.runId) {
    if (typeof runId !== 'string' || !isRunId(runId)) return badRunIdMessage;
    const lower = runId.toLowerCase();
    last = { runId, lower, isLower: lower === runId };
  }
  if (typeof type !== 'string' || type === '') return 'type must name the kind of event, such as run_started';
  if (type === stampType) return { runId: last.lower, raw, event: null, stamp: readStamp(raw) };
  const known = checks.get(type);
  if (!known) return tooDeep(raw, depthLimit) ? tooDeepMessage : { runId: last.lower, raw, event: null };
  return readKnownType(raw, last.lower, known);
}

const badRunIdMessage =
  'runId must be 1 to 100 letters, digits, dots, hyphens or underscores, starting with a letter or digit, not ending with a dot, and no name that Windows reserves (nul, con, aux)';
const tooDeepMessage = `an event is nested at most ${depthLimit} levels deep`;

/** A publisher writes the members of a type in one order: `names` is the last one seen, `order` what each is held to. */
type EventChecks = {
  members: ReadonlyMap<string, MemberCheck>;
  needs: 'uid' | 'lane' | 'participant' | null;
  names: string[];
  order: MemberCheck[];
};
/** The member that names what an event is about. */
export const subjectOf = (type: string): EventChecks['needs'] => {
  if (namesScenario.test(type)) return 'uid';
  return namesLane.test(type) ? 'lane' : namesParticipant.test(type) ? 'participant' : null;
};
const checks = new Map<string, EventChecks>();
for (const [type, members] of Object.entries(monitorEvents)) {
  const needs = subjectOf(type);
  const byName = new Map(checksFor(members).map((check) => [check.name, check]));
  checks.set(type, { members: byName, needs, names: [], order: [] });
}

function readKnownType(raw: Record<string, unknown>, runId: string, known: EventChecks): ParsedEvent | string {
  // Copied only when something must be read differently from how it was written.
  let event = raw;
  if (!last.isLower) event = { ...raw, runId };
  let at = -1;
  for (const name in raw) {
    at += 1;
    const value = raw[name];
    if (value === undefined || value === null) continue;
    const check = (known.names[at] === name ? known.order[at] : undefined) ?? checkAt(known, at, name);
    if (fits(check.fits, value)) continue;
    if (!check.isFlat && tooDeep(value, depthLimit - 1)) return tooDeepMessage;
    const meant = check.read(value);
    if (meant === undefined) return `${name} must be ${check.kind}`;
    if (meant === value) continue;
    if (event === raw) event = { ...raw };
    event[name] = meant;
  }
  return { runId, raw, event: isWholeEvent(event, known.needs) ? event : null };
}

/** The cheap check, which most values pass. */
function fits(check: FastCheck, value: unknown): boolean {
  switch (check) {
    case FastCheck.text:
      return typeof value === 'string' && isShort(value);
    case FastCheck.whole:
      return typeof value === 'number' && Number.isSafeInteger(value);
    case FastCheck.single:
      return typeof value !== 'object';
    default:
      return false;
  }
}

/** No event of ours has as many members; what follows is looked up each time. */
const membersAtMost = 64;

function checkAt({ members, names, order }: EventChecks, at: number, name: string): MemberCheck {
  const check = members.get(name) ?? anything;
  if (at < membersAtMost) {
    names[at] = name;
    order[at] = check;
  }
  return check;
}

type CheckedEvent = Record<string, unknown> & MonitorEvent;

/** Every member was checked, and the uid or lane that it is about is there: here what was read gets its type. */
function isWholeEvent(event: Record<string, unknown>, needs: EventChecks['needs']): event is CheckedEvent {
  if (needs === null) return true;
  const value = event[needs];
  return value !== undefined && value !== null && value !== '';
}

function tooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  return Object.values(value).some((inner) => tooDeep(inner, left - 1));
}
