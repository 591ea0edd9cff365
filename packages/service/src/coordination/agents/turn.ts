/**
 * Where the newest turn of a transcript stands. `what` is the tool in use or the cause of the stop, in words of the
 * tool's own making, never anything that was typed, read or written in the session.
 */
export type Turn = { state: 'open' | 'closed' | 'unclear' | 'none'; detail: string; waiting: boolean };

export const noTurn: Turn = { state: 'none', detail: 'no_turn', waiting: false };

const open = (what: string, waiting = false): Turn => ({ state: 'open', detail: what, waiting });
const closed = (what: string): Turn => ({ state: 'closed', detail: what, waiting: false });
const unclear = (what: string): Turn => ({ state: 'unclear', detail: what, waiting: false });

export type TranscriptRecord = Readonly<Record<string, unknown>>;

/** `skip`: says nothing about turns. `below`: the turn has ended, the record before tells how. */
export type TurnSignal = Turn | 'skip' | 'below';

const endingStops = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal', 'model_context_window_exceeded']);
const unfinishedStops = new Set(['tool_use', 'pause_turn']);
const userQuestionTools = new Set(['AskUserQuestion', 'ExitPlanMode']);
const interruptTexts = new Set(['[Request interrupted by user]', '[Request interrupted by user for tool use]']);

export function turnSignalOf(record: TranscriptRecord): TurnSignal {
  if (record.isSidechain === true || record.isMeta === true || record.isCompactSummary === true) return 'skip';
  if (record.type === 'assistant') return assistantSignal(record);
  if (record.type === 'user') return userSignal(record);
  if (record.type !== 'system') return 'skip';
  if (record.subtype === 'turn_duration') return 'below';
  return record.subtype === 'api_error' && typeof record.retryInMs === 'number' ? open('api_retry') : 'skip';
}

/** A closing record without a cause of its own takes the one of the record below it. */
export const closedBy = (below: Turn): Turn => (below.state === 'closed' ? below : closed('turn_ended'));

function assistantSignal(record: TranscriptRecord): TurnSignal {
  // A usage limit is stored like an answer that ended by itself; only these members tell.
  if (record.isApiErrorMessage === true) return closed(`api_error:${vocabularyWord(record.error) ?? 'unknown'}`);
  const message = asObject(record.message);
  if (!message) return 'skip';
  const tool = blocksOf(message).findLast((block) => block.type === 'tool_use');
  if (tool) return toolTurn(tool.name);
  const stop = message.stop_reason;
  if (stop === null || stop === undefined || unfinishedStops.has(String(stop))) return open('model');
  if (endingStops.has(String(stop))) return closed(String(stop));
  return unclear(`unrecognised_stop:${vocabularyWord(stop) ?? 'other'}`);
}

function toolTurn(name: unknown): Turn {
  const tool = typeof name === 'string' && /^[\w.:-]{1,100}$/.test(name) ? name : 'other';
  return open(`tool:${tool}`, userQuestionTools.has(tool));
}

function userSignal(record: TranscriptRecord): TurnSignal {
  if (isInterrupt(record)) return closed('user_interrupt');
  const content = asObject(record.message)?.content;
  if (typeof content === 'string') return /^\s*<(command-|local-command)/.test(content) ? 'skip' : open('model');
  return Array.isArray(content) ? open('model') : 'skip';
}

/** By structure: a person may paste the very text of the marker into a prompt. */
function isInterrupt(record: TranscriptRecord): boolean {
  if (typeof record.interruptedMessageId === 'string') return true;
  if ('promptSource' in record || 'permissionMode' in record || 'origin' in record) return false;
  const [only, ...more] = blocksOf(asObject(record.message));
  return more.length === 0 && only?.type === 'text' && interruptTexts.has(String(only.text));
}

/** A word of a closed vocabulary, as tools write them; anything longer or freer is not passed on. */
export const vocabularyWord = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z][a-z_]{0,39}$/i.test(value) ? value : null;

export const asObject = (value: unknown): TranscriptRecord | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TranscriptRecord) : null;

const blocksOf = (message: TranscriptRecord | null): TranscriptRecord[] =>
  Array.isArray(message?.content) ? message.content.map(asObject).filter((block) => block !== null) : [];
