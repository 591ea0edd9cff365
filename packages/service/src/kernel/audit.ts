import type { Identity } from './access.ts';
import { isRefusal, type RefusalCode } from './outcome.ts';

/** One line of the audit: who did what, from where, and the result. Never the content of a body. */
export type AuditEntry = {
  at: string;
  /** The name of the token; `operator`, `local` or `anonymous` where there is none. */
  name: string;
  address: string;
  door: 'rest' | 'mcp' | 'socket' | 'ingest' | 'hub' | 'login';
  command: string;
  /** The subject of the call: a node, plan, run, repository or token. */
  ref: string | null;
  /** `done`, or the code of the refusal, or `internal` for a fault. */
  outcome: string;
  /** How many denials like this one there were within a minute, if more than one. */
  count?: number | undefined;
};

/** Returns once the entry would survive the end of this process; the answer is sent after that. */
export type RecordAudit = (entry: Omit<AuditEntry, 'at'>) => void;
/** Resolves once the entry would survive the end of this process; entries of one turn are written together. */
export type RecordAuditSoon = (entry: Omit<AuditEntry, 'at'>) => Promise<void>;

export type AuditFilter = {
  name?: string | undefined;
  command?: string | undefined;
  denied?: boolean | undefined;
  /** Only entries up to this time. */
  before?: string | undefined;
};
export type AuditPage = { items: AuditEntry[]; next: string | null };
/** The page of another host, or why it does not answer. */
export type AuditOfHost = { host: string; page: AuditPage | string };

export type AuditReader = {
  /** Newest first. Undefined for an invalid cursor. */
  read(filter: AuditFilter & { limit: number; cursor?: string | undefined }): Promise<AuditPage | undefined>;
};

const denials: ReadonlySet<string> = new Set<RefusalCode>([
  'token_required',
  'token_invalid',
  'signature_invalid',
  'scope_required',
  'name_not_yours',
  'self_sign_off',
  'host_not_allowed',
  'origin_not_allowed',
  'too_many_requests',
]);

/** Whether a call was denied because of its caller. */
export const isDenial = (outcome: string): boolean => denials.has(outcome);

export const outcomeOf = (answer: unknown): string => (isRefusal(answer) ? answer.code : 'done');

export const auditName = ({ kind, name }: Identity): string => name ?? kind;

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** The subject of a call, by the members that name things; if the service made the choice, the answer has the name. */
export function refOf(input: unknown, answer: unknown): string | null {
  return (
    refIn(input) ?? (isMembers(input) ? refIn(input.document) : null) ?? (isMembers(answer) ? refIn(answer.node) : null)
  );
}

function refIn(value: unknown): string | null {
  if (!isMembers(value)) return null;
  const text = (member: string): string | undefined => {
    const found = value[member];
    return typeof found === 'string' ? found.slice(0, 200) : undefined;
  };
  const [plan, node, owner, name] = [text('plan'), text('node') ?? text('id'), text('owner'), text('name')];
  if (text('ref') !== undefined) return text('ref') ?? null;
  if (plan !== undefined) return node === undefined ? plan : `${plan}/${node}`;
  if (owner !== undefined && name !== undefined) return `${owner}/${name}`;
  return text('runId') ?? name ?? text('source') ?? null;
}
