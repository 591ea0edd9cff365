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
} from '../turn.ts';
import { tokenCount, type UsageFormat, withAnswer, withModel, withoutCached, withTurn } from '../usage-count.ts';
import { agentTool, type HeadReader, type TailReader, variable } from './tool.ts';

/** The state of the turn after one record of a Gemini CLI chat; null if the record does not change it. */
export function geminiTurnOf(record: TranscriptRecord): Turn | null {
  switch (record.type) {
    case 'user':
      return openTurn('model');
    case 'gemini':
      return answerTurn(record);
    case 'error':
      return closedTurn('error');
    case 'info':
      return record.content === 'Request cancelled.' ? closedTurn('user_interrupt') : null;
    default:
      return null;
  }
}

/** The calls of an answer are added once they have run: until then an answer that calls a tool has neither text nor calls. */
function answerTurn({ content, toolCalls }: TranscriptRecord): Turn {
  const call = Array.isArray(toolCalls) ? asObject(toolCalls.at(-1)) : null;
  if (call) return openTurn(`tool:${toolNameOf(call.name)}`);
  return content === '' || content === undefined ? openTurn('tool:other') : closedTurn('end_turn');
}

export function geminiTailReader(earlier: Turn = noTurn): TailReader {
  let lastAt: number | null = null;
  let turn: Turn | null = null;
  let sawRecords = false;
  return {
    accept(record) {
      const set = asObject(record.$set);
      sawRecords ||= set !== null || typeof record.type === 'string' || typeof record.sessionId === 'string';
      lastAt ??=
        millisecondsOf(record.timestamp) ?? millisecondsOf(set?.lastUpdated) ?? millisecondsOf(record.lastUpdated);
      turn ??= geminiTurnOf(record);
      return turn !== null && lastAt !== null;
    },
    result: () => ({ lastAt, cwd: null, branch: null, entrypoint: null, turn: turn ?? earlier, sawRecords }),
  };
}

/** The first line names the session. The directory is stored elsewhere: see the reader. */
export function geminiHeadReader(): HeadReader {
  let firstAt: number | null = null;
  let subagent = false;
  return {
    accept(record) {
      if (textOf(record.sessionId) === null) return false;
      firstAt = millisecondsOf(record.startTime);
      subagent = record.kind !== undefined && record.kind !== 'main';
      return true;
    },
    result: () => ({ firstAt, launchCwd: null, branch: null, entrypoint: null, afterClear: false, subagent }),
  };
}

/** An answer is written again once the tools that it called have run. The context size is not reported. */
const geminiUsage: UsageFormat = {
  mayTell: (line) =>
    line.includes('"tokens"') || (line.includes('"type":"user"') && !line.includes('"functionResponse"')),
  add(count, record) {
    if (record.type === 'user') return holds(record.content, 'functionResponse') ? count : withTurn(count);
    const tokens = record.type === 'gemini' ? asObject(record.tokens) : null;
    if (!tokens) return count;
    const { input, cached, output } = withoutCached(tokens.input, tokens.cached, tokens.output);
    const whole = { input: input + tokenCount(tokens.tool), cached, output: output + tokenCount(tokens.thoughts) };
    return withModel(withAnswer(count, record.id, whole), record.model);
  },
};

const holds = (content: unknown, member: string): boolean =>
  Array.isArray(content) && content.some((part) => asObject(part)?.[member] !== undefined);

/** Gemini CLI: `tmp/<project>/chats/session-*.jsonl`; `tmp/<project>/.project_root` names the directory. */
export const gemini = agentTool({
  name: 'gemini',
  title: 'Gemini CLI',
  client: /^gemini/i,
  sessions: {
    home: { variable: 'GEMINI_CLI_HOME', fallback: '~', folder: '.gemini' },
    format: { head: geminiHeadReader, tail: geminiTailReader, usage: geminiUsage },
  },
  resume: (id) => `gemini --resume ${id}`,
  mcp: {
    path: '.gemini/settings.json',
    servers: 'mcpServers',
    token: variable('SIGNALBOX_TOKEN'),
    approval: 'trust: Gemini calls the work loop tools, the only ones it gets, without asking',
    address: { client: 'gemini', tools: 'work' },
    server: ({ url, headers, approve }) => ({ httpUrl: url, ...headers, ...(approve && { trust: true }) }),
  },
});
