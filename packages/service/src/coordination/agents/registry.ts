import { sessionIdPattern } from './hooks.ts';
import type { Entry, RegistryStatus } from './ports.ts';
import { objectOf } from './turn.ts';

/** A registry file of Claude Code, before the process table was asked about it. */
export type Registered = Omit<Entry, 'liveness'> & { procStart: string | null };

const statuses = new Set<unknown>(['busy', 'idle', 'waiting', 'shell']);

/** `broken`: cannot be read (yet). `empty`: a process without a conversation of its own. */
export function parseRegistered(pid: number, text: string): Registered | 'broken' | 'empty' {
  const file = objectOf(parsed(text));
  if (!file) return 'broken';
  if (file.spare === true) return 'empty';
  const { sessionId } = file;
  if (typeof sessionId !== 'string' || !sessionIdPattern.test(sessionId)) return 'broken';
  return {
    pid,
    sessionId: sessionId.toLowerCase(),
    // Words of later versions count as no status; the transcript then decides.
    status: statuses.has(file.status) ? (file.status as RegistryStatus) : null,
    waitingFor: waitingFor(file.waitingFor),
    cwd: short(file.cwd, 4096),
    entrypoint: short(file.entrypoint, 60),
    name: short(file.name, 200),
    startedAt: timeOf(file.startedAt),
    updatedAt: timeOf(file.updatedAt),
    statusUpdatedAt: timeOf(file.statusUpdatedAt),
    procStart: typeof file.procStart === 'number' ? String(file.procStart) : short(file.procStart, 100),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fixed words of the tool; older versions name the tool that asks. Nothing freer is passed on. */
const waitingFor = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z]+( [a-z]+)?$|^approve [\w-]{1,60}$/i.test(value) ? value : null;

const short = (value: unknown, most: number): string | null =>
  typeof value === 'string' && value !== '' && value.length <= most ? value : null;

const timeOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
