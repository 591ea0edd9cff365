import { asObject, type TranscriptRecord, turnSignalOf } from './turn.ts';
import {
  percentOf,
  tokenCount,
  type UsageCount,
  type UsageFormat,
  withAnswer,
  withModel,
  withoutCached,
  withTurn,
} from './usage-count.ts';

/** Each answer tells what it used; one of several parts is several records with the same id. How much fits in is not told. */
export const claudeUsage: UsageFormat = {
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

const holds = (content: unknown, member: string): boolean =>
  Array.isArray(content) && content.some((part) => asObject(part)?.[member] !== undefined);

/** Its count is of the whole session, its subagents' left out. */
export const codexUsage: UsageFormat = {
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

/** An answer is written again once the tools that it called have run. How much fits in is not told. */
export const geminiUsage: UsageFormat = {
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

/** Subagents are counted too: what they use lies in the same file, and the context is the main agent's. */
export const copilotUsage: UsageFormat = {
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
