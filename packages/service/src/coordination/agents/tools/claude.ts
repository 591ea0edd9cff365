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
  unclearTurn,
  vocabularyWord,
} from '../turn.ts';
import { tokenCount, type UsageFormat, withAnswer, withModel, withTurn } from '../usage-count.ts';
import { agentTool, type HeadReader, type TailReader, variable } from './tool.ts';

/** `skip`: not about turns. `below`: the turn has ended, see the previous record for how. */
type TurnSignal = Turn | 'skip' | 'below';

const endingStops = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal', 'model_context_window_exceeded']);
const unfinishedStops = new Set(['tool_use', 'pause_turn']);
const userQuestionTools = new Set(['AskUserQuestion', 'ExitPlanMode']);
const interruptTexts = new Set(['[Request interrupted by user]', '[Request interrupted by user for tool use]']);

function turnSignalOf(record: TranscriptRecord): TurnSignal {
  if (record.isSidechain === true || record.isMeta === true || record.isCompactSummary === true) return 'skip';
  if (record.type === 'assistant') return assistantSignal(record);
  if (record.type === 'user') return userSignal(record);
  if (record.type !== 'system') return 'skip';
  if (record.subtype === 'turn_duration') return 'below';
  return record.subtype === 'api_error' && typeof record.retryInMs === 'number' ? openTurn('api_retry') : 'skip';
}

/** A closing record without a cause gets the cause from the record before it. */
const closedBy = (below: Turn): Turn => (below.state === 'closed' ? below : closedTurn('turn_ended'));

function assistantSignal(record: TranscriptRecord): TurnSignal {
  // A usage limit is stored like a normal answer; only these members distinguish it.
  if (record.isApiErrorMessage === true) return closedTurn(`api_error:${vocabularyWord(record.error) ?? 'unknown'}`);
  const message = asObject(record.message);
  if (!message) return 'skip';
  const tool = blocksOf(message).findLast((block) => block.type === 'tool_use');
  if (tool) return toolTurn(tool.name);
  const stop = message.stop_reason;
  if (stop === null || stop === undefined || unfinishedStops.has(String(stop))) return openTurn('model');
  if (endingStops.has(String(stop))) return closedTurn(String(stop));
  return unclearTurn(`unrecognised_stop:${vocabularyWord(stop) ?? 'other'}`);
}

function toolTurn(name: unknown): Turn {
  const tool = toolNameOf(name);
  return openTurn(`tool:${tool}`, userQuestionTools.has(tool));
}

function userSignal(record: TranscriptRecord): TurnSignal {
  if (isInterrupt(record)) return closedTurn('user_interrupt');
  const content = asObject(record.message)?.content;
  if (typeof content === 'string') return /^\s*<(command-|local-command)/.test(content) ? 'skip' : openTurn('model');
  return Array.isArray(content) ? openTurn('model') : 'skip';
}

/** The marker is recognised by its structure, because a person may paste its text into a prompt. */
function isInterrupt(record: TranscriptRecord): boolean {
  if (typeof record.interruptedMessageId === 'string') return true;
  if ('promptSource' in record || 'permissionMode' in record || 'origin' in record) return false;
  const [only, ...more] = blocksOf(asObject(record.message));
  return more.length === 0 && only?.type === 'text' && interruptTexts.has(String(only.text));
}

const blocksOf = (message: TranscriptRecord | null): TranscriptRecord[] =>
  Array.isArray(message?.content) ? message.content.map(asObject).filter((block) => block !== null) : [];

/** `earlier` is the state of the turn before these records. */
export function claudeTailReader(earlier: Turn = noTurn): TailReader {
  let lastAt: number | null = null;
  let cwd: string | null = null;
  let branch: string | null = null;
  let entrypoint: string | null = null;
  let turn: Turn | null = null;
  let ended = false;
  let sawRecords = false;
  return {
    accept(record) {
      sawRecords ||= typeof record.type === 'string';
      lastAt ??= millisecondsOf(record.timestamp);
      if (record.isSidechain !== true) {
        cwd ??= worktreeOf(record) ?? textOf(record.cwd);
        branch ??= textOf(record.gitBranch);
        entrypoint ??= textOf(record.entrypoint);
      }
      if (!turn) {
        const signal = turnSignalOf(record);
        if (signal === 'below') ended = true;
        else if (signal !== 'skip') turn = ended ? closedBy(signal) : signal;
      }
      return turn !== null && cwd !== null && lastAt !== null;
    },
    result: () => ({
      lastAt,
      cwd,
      branch,
      entrypoint,
      turn: turn ?? (ended ? closedBy(earlier) : earlier),
      sawRecords,
    }),
  };
}

export function claudeHeadReader(): HeadReader {
  let firstAt: number | null = null;
  let launchCwd: string | null = null;
  let branch: string | null = null;
  let entrypoint: string | null = null;
  let afterClear = false;
  return {
    accept(record) {
      firstAt ??= millisecondsOf(record.timestamp);
      launchCwd ??= textOf(record.cwd);
      branch ??= textOf(record.gitBranch);
      entrypoint ??= textOf(record.entrypoint);
      afterClear ||= isClear(record);
      // A `/clear` command comes before the first prompt, or not at all.
      return firstAt !== null && launchCwd !== null && turnSignalOf(record) !== 'skip';
    },
    // Subagents of Claude Code write next to the transcript of their session, not into transcripts of their own.
    result: () => ({ firstAt, launchCwd, branch, entrypoint, afterClear, subagent: false }),
  };
}

function isClear(record: TranscriptRecord): boolean {
  const content = asObject(record.message)?.content;
  return record.type === 'user' && typeof content === 'string' && content.includes('<command-name>/clear<');
}

const worktreeOf = (record: TranscriptRecord): string | null =>
  record.type === 'worktree-state' ? textOf(asObject(record.worktreeSession)?.worktreePath) : null;

/** Each answer reports its usage; an answer in several parts is several records with the same id. The context size is not reported. */
const claudeUsage: UsageFormat = {
  mayTell: (line) => line.includes('"usage"') || (line.includes('"type":"user"') && !line.includes('"tool_result"')),
  add(count, record) {
    if (record.type === 'user') return isPrompt(record) ? withTurn(count) : count;
    const message = asObject(record.message);
    const usage = record.type === 'assistant' ? asObject(message?.usage) : null;
    if (!message || !usage) return count;
    const tokens = {
      input: tokenCount(usage.input_tokens) + tokenCount(usage.cache_creation_input_tokens),
      cached: tokenCount(usage.cache_read_input_tokens),
      output: tokenCount(usage.output_tokens),
    };
    return withModel(withAnswer(count, message.id, tokens), message.model);
  },
};

function isPrompt(record: TranscriptRecord): boolean {
  const signal = turnSignalOf(record);
  if (typeof signal !== 'object' || signal.state !== 'open') return false;
  const content = asObject(record.message)?.content;
  return !Array.isArray(content) || !content.some((block) => asObject(block)?.type === 'tool_result');
}

/** Claude Code: `projects/<folder>/<sessionId>.jsonl`, and `sessions/<pid>.json` for each living process. */
export const claude = agentTool({
  name: 'claude-code',
  title: 'Claude Code',
  aliases: ['claude'],
  client: /^claude\b|claude-?code/i,
  call: (meta) => ({ session: null, toolCall: meta['claudecode/toolUseId'] }),
  sessions: {
    // The setting SessionsPath adds further folders.
    home: { variable: 'CLAUDE_CONFIG_DIR', fallback: '~/.claude' },
    format: { head: claudeHeadReader, tail: claudeTailReader, usage: claudeUsage },
  },
  resume: (id) => `claude --resume ${id}`,
  mcp: {
    path: '.mcp.json',
    servers: 'mcpServers',
    token: variable('SIGNALBOX_TOKEN'),
    // Copilot reads this file too, so the address does not name the client.
    address: {},
    server: ({ url, headers }) => ({ type: 'http', url, ...headers }),
  },
});
