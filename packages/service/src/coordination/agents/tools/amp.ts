import { noUsage, type SessionUsage, type Transcript } from '../ports.ts';
import {
  asObject,
  closedTurn,
  noTurn,
  openTurn,
  type TranscriptRecord,
  type Turn,
  textOf,
  toolNameOf,
  unclearTurn,
  vocabularyWord,
} from '../turn.ts';
import { nothingCounted, tokenCount, usageOf, withAnswer, withModel, withTurn } from '../usage-count.ts';
import { agentTool, variable } from './tool.ts';

const objectsIn = (value: unknown): TranscriptRecord[] =>
  Array.isArray(value) ? value.map(asObject).filter((one) => one !== null) : [];

const holds = ({ content }: TranscriptRecord, type: string): boolean =>
  objectsIn(content).some((block) => block.type === type);

/** The turn after the newest message of a thread. */
export function ampTurnOf(messages: readonly TranscriptRecord[]): Turn {
  const last = messages.at(-1);
  if (!last) return noTurn;
  if (last.role === 'user') return openTurn('model');
  if (last.role !== 'assistant') return unclearTurn('unrecognised_role');
  const call = objectsIn(last.content).findLast(({ type }) => type === 'tool_use');
  const state = asObject(last.state);
  switch (state?.type) {
    case 'streaming':
      return openTurn(call ? `tool:${toolNameOf(call.name)}` : 'model');
    case 'cancelled':
      return closedTurn('user_interrupt');
    case 'error':
      return closedTurn('error');
    case 'complete':
      if (call || state.stopReason === 'tool_use') return openTurn(`tool:${toolNameOf(call?.name)}`);
      return closedTurn(vocabularyWord(state.stopReason) ?? 'turn_ended');
    default:
      return unclearTurn(`unrecognised_state:${vocabularyWord(state?.type) ?? 'other'}`);
  }
}

/** Each answer has its own usage; `inputTokens` does not include cached input. The context size is not recorded. */
function ampUsage(messages: readonly TranscriptRecord[]): SessionUsage {
  let count = nothingCounted;
  for (const message of messages) {
    if (message.role === 'user' && !holds(message, 'tool_result')) count = withTurn(count);
    const usage = message.role === 'assistant' ? asObject(message.usage) : null;
    if (!usage) continue;
    const tokens = {
      input: tokenCount(usage.inputTokens) + tokenCount(usage.cacheCreationInputTokens),
      cached: tokenCount(usage.cacheReadInputTokens),
      output: tokenCount(usage.outputTokens),
    };
    count = withModel(withAnswer(count, null, tokens), usage.model);
  }
  return messages.length === 0 ? noUsage : usageOf(count);
}

/** The first folder that the thread was started in. */
function treeOf(thread: TranscriptRecord): { cwd: string | null; branch: string | null } {
  const [tree] = objectsIn(asObject(asObject(thread.env)?.initial)?.trees);
  const uri = textOf(tree?.uri);
  const ref = textOf(asObject(tree?.repository)?.ref);
  return {
    cwd: uri !== null && /^file:\/\/\/[^%]*$/.test(uri) ? uri.slice('file://'.length) : null,
    branch: ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null,
  };
}

/** One thread file. Null if it is not a thread. */
export function readAmpThread(thread: TranscriptRecord): Omit<Transcript, 'sessionId' | 'folder'> | null {
  if (!Array.isArray(thread.messages)) return null;
  const messages = objectsIn(thread.messages);
  const { cwd, branch } = treeOf(thread);
  return {
    firstAt: Number.isSafeInteger(thread.created) ? Number(thread.created) : null,
    // Prompts and tool results have no time, so the time of the file counts.
    lastAt: null,
    launchCwd: cwd,
    cwd,
    branch,
    entrypoint: null,
    afterClear: false,
    subagent: textOf(thread.mainThreadID) !== null,
    turn: ampTurnOf(messages),
    usage: ampUsage(messages),
  };
}

/**
 * Amp: `threads/T-<uuid>.json`, one document for each thread, as usage readers describe it; the format is not documented
 * by its makers. Threads that a version keeps only on its server are not seen.
 */
export const amp = agentTool({
  name: 'amp',
  title: 'Amp',
  client: /^amp\b/i,
  sessions: {
    home: { variable: 'XDG_DATA_HOME', fallback: '~/.local/share', folder: 'amp' },
    documents: { folder: 'threads', name: /^(T-[\w-]{1,64})\.json$/, read: readAmpThread },
    process: { name: 'amp', program: /(^|\/)(amp(\.m?js)?$|@sourcegraph\/amp\/)/ },
  },
  resume: (id) => `amp threads continue ${id}`,
  mcp: {
    path: '.amp/settings.json',
    servers: 'amp.mcpServers',
    token: variable('SIGNALBOX_TOKEN'),
    address: { client: 'amp' },
    server: ({ url, headers }) => ({ url, ...headers }),
  },
});
