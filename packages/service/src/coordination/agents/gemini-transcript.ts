import type { HeadReader, TailReader } from './claude-transcript.ts';
import { millisecondsOf, textOf, toolNameOf } from './record-members.ts';
import { asObject, noTurn, type TranscriptRecord, type Turn } from './turn.ts';

const open = (what: string): Turn => ({ state: 'open', detail: what, waiting: false });
const closed = (what: string): Turn => ({ state: 'closed', detail: what, waiting: false });

/** Where the turn stands by one record of a Gemini CLI chat; null when the record says nothing about it. */
export function geminiTurnOf(record: TranscriptRecord): Turn | null {
  switch (record.type) {
    case 'user':
      return open('model');
    case 'gemini':
      return answerTurn(record);
    case 'error':
      return closed('error');
    case 'info':
      return record.content === 'Request cancelled.' ? closed('user_interrupt') : null;
    default:
      return null;
  }
}

/** The calls of an answer are added once they have run: until then an answer that calls a tool has neither text nor calls. */
function answerTurn({ content, toolCalls }: TranscriptRecord): Turn {
  const call = Array.isArray(toolCalls) ? asObject(toolCalls.at(-1)) : null;
  if (call) return open(`tool:${toolNameOf(call.name)}`);
  return content === '' || content === undefined ? open('tool:other') : closed('end_turn');
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

/** The first line names the session. The directory stands elsewhere: see the reader. */
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
