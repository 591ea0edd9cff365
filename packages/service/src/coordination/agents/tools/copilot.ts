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
import {
  percentOf,
  type UsageCount,
  type UsageFormat,
  withAnswer,
  withModel,
  withoutCached,
  withTurn,
} from '../usage-count.ts';
import { agentTool, type HeadReader, type TailReader, variable } from './tool.ts';

/** The state of the turn after one event of a Copilot CLI session; null if the event does not change it. */
export function copilotTurnOf(record: TranscriptRecord): Turn | null {
  // The records of a subagent are in the same file, marked with its id.
  if (record.agentId !== undefined) return null;
  const data = asObject(record.data) ?? {};
  switch (record.type) {
    case 'user.message':
    case 'assistant.turn_start':
    case 'tool.execution_complete':
      return openTurn('model');
    case 'tool.execution_start':
      return openTurn(`tool:${toolNameOf(data.toolName)}`);
    case 'assistant.message':
      return messageTurn(data);
    case 'permission.requested':
      return openTurn('permission', true);
    case 'abort':
      return closedTurn(
        data.reason === 'user_initiated' ? 'user_interrupt' : `aborted:${vocabularyWord(data.reason) ?? 'unknown'}`,
      );
    case 'session.error':
      return closedTurn('error');
    case 'session.shutdown':
      return closedTurn('shutdown');
    default:
      return null;
  }
}

/** Each answer of the model has its own end; only an answer without calls ends the turn. */
function messageTurn({ toolRequests }: TranscriptRecord): Turn {
  const call = Array.isArray(toolRequests) ? asObject(toolRequests.at(-1)) : null;
  return call ? openTurn(`tool:${toolNameOf(call.name)}`) : closedTurn('end_turn');
}

export function copilotTailReader(earlier: Turn = noTurn): TailReader {
  let lastAt: number | null = null;
  let cwd: string | null = null;
  let branch: string | null = null;
  let turn: Turn | null = null;
  let sawRecords = false;
  return {
    accept(record) {
      const context = contextOf(record);
      sawRecords ||= asObject(record.data) !== null;
      lastAt ??= millisecondsOf(record.timestamp);
      cwd ??= textOf(context?.cwd);
      branch ??= textOf(context?.branch);
      turn ??= copilotTurnOf(record);
      return turn !== null && lastAt !== null;
    },
    result: () => ({ lastAt, cwd, branch, entrypoint: null, turn: turn ?? earlier, sawRecords }),
  };
}

export function copilotHeadReader(): HeadReader {
  let firstAt: number | null = null;
  let launchCwd: string | null = null;
  let branch: string | null = null;
  return {
    accept(record) {
      firstAt ??= millisecondsOf(record.timestamp);
      if (record.type !== 'session.start') return false;
      launchCwd = textOf(contextOf(record)?.cwd);
      branch = textOf(contextOf(record)?.branch);
      return true;
    },
    result: () => ({ firstAt, launchCwd, branch, entrypoint: null, afterClear: false, subagent: false }),
  };
}

/** The directory of the session, reported at its start and on every change. */
function contextOf({ type, data }: TranscriptRecord): TranscriptRecord | null {
  const of = asObject(data);
  if (type === 'session.context_changed') return asObject(of?.context) ?? of;
  return type === 'session.start' || type === 'session.resume' ? asObject(of?.context) : null;
}

/** Subagents are counted too: their usage is in the same file, and the context is the main agent's. */
const copilotUsage: UsageFormat = {
  mayTell: (line) => line.includes('"session.usage_record"') || line.includes('"user.message"'),
  add(count: UsageCount, record) {
    const isOfSubagent = record.agentId !== undefined;
    if (record.type === 'user.message') return isOfSubagent ? count : withTurn(count);
    const usage = record.type === 'session.usage_record' ? asObject(asObject(record.data)?.usage) : null;
    if (!usage) return count;
    const tokens = withoutCached(usage.inputTokens, usage.cacheReadTokens, usage.outputTokens);
    const added = withAnswer(count, usage.apiCallId, tokens);
    if (isOfSubagent) return added;
    const contextPercent = percentOf(usage.inputTokens, usage.maxPromptTokens) ?? count.contextPercent;
    return { ...withModel(added, usage.model), contextPercent };
  },
};

/** GitHub Copilot CLI: `session-state/<id>/events.jsonl`, with `inuse.<pid>.lock` beside it while it runs. */
export const copilot = agentTool({
  name: 'copilot',
  title: 'Copilot CLI',
  client: /copilot/i,
  sessions: {
    home: { variable: 'COPILOT_HOME', fallback: '~/.copilot' },
    format: { head: copilotHeadReader, tail: copilotTailReader, usage: copilotUsage },
  },
  resume: (id) => `copilot --resume ${id}`,
  mcp: {
    path: '.github/mcp.json',
    // With both files it would list the server twice.
    alsoReads: '.mcp.json',
    servers: 'mcpServers',
    token: variable('SIGNALBOX_TOKEN'),
    address: { client: 'copilot' },
    server: ({ url, headers }) => ({ type: 'http', url, tools: ['*'], ...headers }),
  },
});
