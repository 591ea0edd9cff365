import { parsedJson } from '../../kernel/parsed-json.ts';
import { sessionIdPattern } from './hooks.ts';
import type { RegistryEntry, RegistryStatus } from './ports.ts';
import { asObject } from './turn.ts';

/** A registry file of Claude Code, before its pid was checked. */
export type RegistryFile = Omit<RegistryEntry, 'liveness' | 'formerIds'> & { procStart: string | null };

const statuses: readonly RegistryStatus[] = ['busy', 'idle', 'waiting', 'shell'];

/** `broken`: cannot be read (yet). `empty`: a process without a conversation of its own. */
export function parseRegistryFile(pid: number, text: string): RegistryFile | 'broken' | 'empty' {
  const file = asObject(parsedJson(text));
  if (!file) return 'broken';
  if (file.spare === true) return 'empty';
  const { sessionId } = file;
  if (typeof sessionId !== 'string' || !sessionIdPattern.test(sessionId)) return 'broken';
  return {
    pid,
    sessionId: sessionId.toLowerCase(),
    // Unknown status words of later versions are ignored; the transcript then decides.
    status: statuses.find((status) => status === file.status) ?? null,
    waitingFor: waitingFor(file.waitingFor),
    cwd: boundedText(file.cwd, 4096),
    entrypoint: boundedText(file.entrypoint, 60),
    name: boundedText(file.name, 200),
    startedAt: timeOf(file.startedAt),
    updatedAt: timeOf(file.updatedAt),
    statusUpdatedAt: timeOf(file.statusUpdatedAt),
    procStart: typeof file.procStart === 'number' ? String(file.procStart) : boundedText(file.procStart, 100),
  };
}

/** Fixed words of the tool; older versions name the asking tool. Free text is not passed on. */
const waitingFor = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z]+( [a-z]+)?$|^approve [\w-]{1,60}$/i.test(value) ? value : null;

const boundedText = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxLength ? value : null;

const timeOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
