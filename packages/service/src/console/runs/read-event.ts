import { type MonitorEvent, monitorEvents } from './events.ts';
import { type Check, checksFor } from './member-checks.ts';

/** An event that may be kept. `event` is null for one that is archived and not folded: of a type not known here, or about nothing. */
export type Taken = { runId: string; raw: object; event: MonitorEvent | null };

const namesScenario = /^(?:scenario|step|test)_|^retry_/;
const namesLane = /^lane_/;

const runIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const depthLimit = 64;
/** Events of one run come together; its id need not be looked at each time. */
let lastRunId: string | undefined;

export const isRunId = (text: string): boolean => runIdPattern.test(text);

/** Reads one event of a batch as leniently as it can be meant; a text says why it cannot be taken. */
export function readEvent(raw: unknown): Taken | string {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return 'an event is an object';
  const { runId, type } = raw as Record<string, unknown>;
  if (runId !== lastRunId && !(typeof runId === 'string' && runIdPattern.test(runId))) {
    return 'runId must be 1 to 100 letters, digits, dots, hyphens or underscores, starting with a letter or digit';
  }
  if (typeof type !== 'string' || type === '') return 'type must name the kind of event, such as run_started';
  const members = membersOf(type);
  lastRunId = runId as string;
  if (!members) return tooDeep(raw, depthLimit) ? deep : { runId: lastRunId.toLowerCase(), raw, event: null };
  return readKnown(raw as Record<string, unknown>, lastRunId, members);
}

const deep = `an event is nested at most ${depthLimit} levels deep`;

/** `flat` names the members that cannot nest. */
type Checks = { list: readonly Check[]; flat: ReadonlySet<string>; needs: 'uid' | 'lane' | null };
const checks = new Map<string, Checks>();
for (const [type, members] of Object.entries(monitorEvents)) {
  const list = checksFor(members);
  const flat = Object.entries(members).filter(([, kind]) => typeof kind === 'string');
  const needs = namesScenario.test(type) ? 'uid' : namesLane.test(type) ? 'lane' : null;
  checks.set(type, { list, flat: new Set(flat.map(([name]) => name)), needs });
}

const membersOf = (type: string) => checks.get(type);

function readKnown(raw: Record<string, unknown>, runId: string, { list, flat, needs }: Checks): Taken | string {
  const lower = runId.toLowerCase();
  // Copied only when something must be read differently from how it was written.
  let event = raw;
  if (lower !== runId) event = { ...raw, runId: lower };
  for (const { name, read, kind } of list) {
    const value = raw[name];
    if (value === undefined || value === null) continue;
    const meant = read(value);
    if (meant === undefined) return `${name} must be ${kind}`;
    if (meant === value) continue;
    if (event === raw) event = { ...raw };
    event[name] = meant;
  }
  for (const name in raw) {
    if (typeof raw[name] === 'object' && !flat.has(name) && tooDeep(raw[name], depthLimit - 1)) return deep;
  }
  return { runId: lower, raw, event: isAboutNothing(event, needs) ? null : (event as unknown as MonitorEvent) };
}

/** It lacks the one member that says what it is about. */
function isAboutNothing(event: Record<string, unknown>, needs: Checks['needs']): boolean {
  if (needs === null) return false;
  const value = event[needs];
  return value === undefined || value === null || value === '';
}

function tooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  return Object.values(value).some((inner) => tooDeep(inner, left - 1));
}
