import type { Tokens } from '../../kernel/claim-view.ts';
import { noUsage, type SessionUsage } from './ports.ts';
import type { TranscriptRecord } from './turn.ts';

/** The counts so far. A tool may write its newest answer again with other figures: `answer` is the latest version. */
export type UsageCount = SessionUsage & { answer: { id: string; tokens: Tokens } | null };

export const nothingCounted: UsageCount = { ...noUsage, answer: null };

/** Counts usage from the records of one tool, fed from the first record on. */
export type UsageFormat = {
  /** Tested on a line before it is parsed: most of a transcript is irrelevant text. */
  mayTell(line: { includes(text: string): boolean }): boolean;
  add(count: UsageCount, record: TranscriptRecord): UsageCount;
};

export const usageOf = ({ model, tokens, turns, contextPercent }: UsageCount): SessionUsage => ({
  model,
  tokens,
  turns,
  contextPercent,
});

export const withTurn = (count: UsageCount): UsageCount => ({ ...count, turns: (count.turns ?? 0) + 1 });

export function withModel(count: UsageCount, model: unknown): UsageCount {
  const isName = typeof model === 'string' && /^[\w.:/@-]{1,100}$/.test(model);
  return isName && model !== count.model ? { ...count, model } : count;
}

/** Adds the usage of one answer, replacing an earlier count of the same answer. */
export function withAnswer(count: UsageCount, id: unknown, tokens: Tokens): UsageCount {
  const named = typeof id === 'string' && id.length <= 200 ? id : null;
  const repeated = named !== null && count.answer?.id === named ? count.answer.tokens : noTokens;
  const sum = (member: keyof Tokens) => (count.tokens?.[member] ?? 0) + tokens[member] - repeated[member];
  const total = { input: sum('input'), cached: sum('cached'), output: sum('output') };
  return { ...count, tokens: total, answer: named === null ? null : { id: named, tokens } };
}

const noTokens: Tokens = { input: 0, cached: 0, output: 0 };

/** A number of tokens; 0 for anything else. */
export const tokenCount = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);

/** Tokens without cached input, for tools whose input count includes it. */
export const withoutCached = (input: unknown, cached: unknown, output: unknown): Tokens => ({
  input: Math.max(0, tokenCount(input) - tokenCount(cached)),
  cached: tokenCount(cached),
  output: tokenCount(output),
});

/** Null if the tool does not report the context size. */
export const percentOf = (used: unknown, most: unknown): number | null =>
  tokenCount(most) > 0 ? Math.min(100, Math.round((100 * tokenCount(used)) / tokenCount(most))) : null;
