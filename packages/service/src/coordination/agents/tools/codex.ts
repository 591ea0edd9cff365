import {
  asObject,
  closedTurn,
  millisecondsOf,
  noTurn,
  openTurn,
  type TranscriptRecord,
  type Turn,
  textOf,
  toolNameOf,
  vocabularyWord,
} from '../turn.ts';
import { percentOf, type UsageFormat, withModel, withoutCached, withTurn } from '../usage-count.ts';
import { agentTool, type HeadReader, type TailReader } from './tool.ts';

const toolCallTypes = new Set<unknown>(['function_call', 'custom_tool_call', 'local_shell_call', 'web_search_call']);

/** The state of the turn after one record of a Codex rollout; null if the record does not change it. */
export function codexTurnOf(record: TranscriptRecord): Turn | null {
  const payload = asObject(record.payload);
  if (!payload) return null;
  if (record.type === 'response_item')
    return toolCallTypes.has(payload.type) ? openTurn(`tool:${toolName(payload)}`) : openTurn('model');
  if (record.type !== 'event_msg') return null;
  switch (payload.type) {
    case 'task_complete':
    case 'turn_complete':
      return closedTurn('end_turn');
    case 'turn_aborted':
      return closedTurn(
        payload.reason === 'interrupted' ? 'user_interrupt' : `aborted:${vocabularyWord(payload.reason) ?? 'unknown'}`,
      );
    case 'task_started':
    case 'turn_started':
    case 'user_message':
      return openTurn('model');
    default:
      return null;
  }
}

const toolName = ({ type, name }: TranscriptRecord): string =>
  name === undefined && type === 'local_shell_call' ? 'shell' : toolNameOf(name);

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

/** Codex counts the whole session without its subagents. */
const codexUsage: UsageFormat = {
  mayTell: (line) =>
    line.includes('"token_count"') ||
    line.includes('"turn_context"') ||
    line.includes('"task_started"') ||
    line.includes('"turn_started"'),
  add(count, record) {
    const payload = asObject(record.payload);
    if (record.type === 'turn_context') return withModel(count, payload?.model);
    if (record.type !== 'event_msg') return count;
    if (payload?.type === 'task_started' || payload?.type === 'turn_started') return withTurn(count);
    const info = payload?.type === 'token_count' ? asObject(payload.info) : null;
    const total = asObject(info?.total_token_usage);
    if (!info || !total) return count;
    return {
      ...count,
      tokens: withoutCached(total.input_tokens, total.cached_input_tokens, total.output_tokens),
      contextPercent: percentOf(asObject(info.last_token_usage)?.total_tokens, info.model_context_window),
    };
  },
};

/** Codex CLI: `sessions/YYYY/MM/DD/rollout-*.jsonl`, which a living process holds open. */
export const codex = agentTool({
  name: 'codex',
  title: 'Codex',
  client: /^codex/i,
  // `threadId` differs in its subagents.
  call: (meta) => ({ session: meta.sessionId ?? meta.threadId, toolCall: null }),
  sessions: {
    home: { variable: 'CODEX_HOME', fallback: '~/.codex' },
    format: { head: codexHeadReader, tail: codexTailReader, usage: codexUsage },
  },
  resume: (id) => `codex resume ${id}`,
  mcp: {
    path: '.codex/config.toml',
    approval: 'default_tools_approval_mode: Codex calls the work loop tools, the only ones it gets, without asking',
    address: { client: 'codex', tools: 'work' },
  },
});
