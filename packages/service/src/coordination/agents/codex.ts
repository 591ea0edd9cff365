import type { HeadReading, TailReading } from './transcript.ts';
import { noTurn, objectOf, type TranscriptRecord, type Turn, word } from './turn.ts';

const open = (what: string): Turn => ({ state: 'open', what, waiting: false });
const closed = (what: string): Turn => ({ state: 'closed', what, waiting: false });

const calls = new Set<unknown>(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call']);

/** Where the turn stands by one record of a Codex rollout; null when the record says nothing about it. */
export function codexVerdict(record: TranscriptRecord): Turn | null {
  const payload = objectOf(record.payload);
  if (!payload) return null;
  if (record.type === 'response_item')
    return calls.has(payload.type) ? open(`tool:${toolName(payload)}`) : open('model');
  if (record.type !== 'event_msg') return null;
  switch (payload.type) {
    case 'task_complete':
    case 'turn_complete':
      return closed('end_turn');
    case 'turn_aborted':
      return closed(
        payload.reason === 'interrupted' ? 'user_interrupt' : `aborted:${word(payload.reason) ?? 'unknown'}`,
      );
    case 'task_started':
    case 'turn_started':
    case 'user_message':
      return open('model');
    default:
      return null;
  }
}

const toolName = ({ type, name }: TranscriptRecord): string =>
  typeof name === 'string' && /^[\w.:-]{1,100}$/.test(name) ? name : type === 'local_shell_call' ? 'shell' : 'other';

export function readCodexTail(earlier: Turn = noTurn): TailReading {
  let lastAt: number | null = null;
  let cwd: string | null = null;
  let turn: Turn | null = null;
  let sawRecords = false;
  return {
    take(record) {
      sawRecords ||= objectOf(record.payload) !== null;
      lastAt ??= timeOf(record.timestamp);
      if (record.type === 'turn_context') cwd ??= textOf(objectOf(record.payload)?.cwd);
      turn ??= codexVerdict(record);
      return turn !== null && lastAt !== null;
    },
    result: () => ({ lastAt, cwd, branch: null, entrypoint: null, turn: turn ?? earlier, sawRecords }),
  };
}

export function readCodexHead(): HeadReading {
  let firstAt: number | null = null;
  let launchCwd: string | null = null;
  let branch: string | null = null;
  let subagent = false;
  return {
    take(record) {
      firstAt ??= timeOf(record.timestamp);
      if (record.type !== 'session_meta') return false;
      const payload = objectOf(record.payload);
      launchCwd = textOf(payload?.cwd);
      branch = textOf(objectOf(payload?.git)?.branch);
      subagent = textOf(payload?.parent_thread_id) !== null || objectOf(payload?.source)?.subagent !== undefined;
      return true;
    },
    result: () => ({ firstAt, launchCwd, entrypoint: null, afterClear: false, subagent, branch }),
  };
}

const timeOf = (value: unknown): number | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 4096 ? value : null;
