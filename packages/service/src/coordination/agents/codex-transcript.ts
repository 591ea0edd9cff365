import type { HeadReader, TailReader } from './claude-transcript.ts';
import { asObject, noTurn, type TranscriptRecord, type Turn, vocabularyWord } from './turn.ts';

const open = (what: string): Turn => ({ state: 'open', detail: what, waiting: false });
const closed = (what: string): Turn => ({ state: 'closed', detail: what, waiting: false });

const toolCallTypes = new Set<unknown>(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call']);

/** Where the turn stands by one record of a Codex rollout; null when the record says nothing about it. */
export function codexTurnOf(record: TranscriptRecord): Turn | null {
  const payload = asObject(record.payload);
  if (!payload) return null;
  if (record.type === 'response_item')
    return toolCallTypes.has(payload.type) ? open(`tool:${toolName(payload)}`) : open('model');
  if (record.type !== 'event_msg') return null;
  switch (payload.type) {
    case 'task_complete':
    case 'turn_complete':
      return closed('end_turn');
    case 'turn_aborted':
      return closed(
        payload.reason === 'interrupted' ? 'user_interrupt' : `aborted:${vocabularyWord(payload.reason) ?? 'unknown'}`,
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

export function codexTailReader(earlier: Turn = noTurn): TailReader {
  let lastAt: number | null = null;
  let cwd: string | null = null;
  let turn: Turn | null = null;
  let sawRecords = false;
  return {
    accept(record) {
      sawRecords ||= asObject(record.payload) !== null;
      lastAt ??= millisecondsOf(record.timestamp);
      if (record.type === 'turn_context') cwd ??= textOf(asObject(record.payload)?.cwd);
      turn ??= codexTurnOf(record);
      return turn !== null && lastAt !== null;
    },
    result: () => ({ lastAt, cwd, branch: null, entrypoint: null, turn: turn ?? earlier, sawRecords }),
  };
}

export function codexHeadReader(): HeadReader {
  let firstAt: number | null = null;
  let launchCwd: string | null = null;
  let branch: string | null = null;
  let subagent = false;
  return {
    accept(record) {
      firstAt ??= millisecondsOf(record.timestamp);
      if (record.type !== 'session_meta') return false;
      const payload = asObject(record.payload);
      launchCwd = textOf(payload?.cwd);
      branch = textOf(asObject(payload?.git)?.branch);
      subagent = textOf(payload?.parent_thread_id) !== null || asObject(payload?.source)?.subagent !== undefined;
      return true;
    },
    result: () => ({ firstAt, launchCwd, entrypoint: null, afterClear: false, subagent, branch }),
  };
}

const millisecondsOf = (value: unknown): number | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 4096 ? value : null;
