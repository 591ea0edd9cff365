import type { HeadReader, TailReader } from './claude-transcript.ts';
import { millisecondsOf, textOf, toolNameOf } from './record-members.ts';
import { asObject, noTurn, type TranscriptRecord, type Turn, vocabularyWord } from './turn.ts';

const open = (what: string, waiting = false): Turn => ({ state: 'open', detail: what, waiting });
const closed = (what: string): Turn => ({ state: 'closed', detail: what, waiting: false });

/** Where the turn stands by one event of a Copilot CLI session; null when the event says nothing about it. */
export function copilotTurnOf(record: TranscriptRecord): Turn | null {
  // What a subagent does lies in the same file, marked with its id.
  if (record.agentId !== undefined) return null;
  const data = asObject(record.data) ?? {};
  switch (record.type) {
    case 'user.message':
    case 'assistant.turn_start':
    case 'tool.execution_complete':
      return open('model');
    case 'tool.execution_start':
      return open(`tool:${toolNameOf(data.toolName)}`);
    case 'assistant.message':
      return messageTurn(data);
    case 'permission.requested':
      return open('permission', true);
    case 'abort':
      return closed(
        data.reason === 'user_initiated' ? 'user_interrupt' : `aborted:${vocabularyWord(data.reason) ?? 'unknown'}`,
      );
    case 'session.error':
      return closed('error');
    case 'session.shutdown':
      return closed('shutdown');
    default:
      return null;
  }
}

/** Each answer of the model has an end of its own: only one without calls ends what the person asked for. */
function messageTurn({ toolRequests }: TranscriptRecord): Turn {
  const call = Array.isArray(toolRequests) ? asObject(toolRequests.at(-1)) : null;
  return call ? open(`tool:${toolNameOf(call.name)}`) : closed('end_turn');
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

/** Where the session stands, told at its start and whenever that changes. */
function contextOf({ type, data }: TranscriptRecord): TranscriptRecord | null {
  const of = asObject(data);
  if (type === 'session.context_changed') return asObject(of?.context) ?? of;
  return type === 'session.start' || type === 'session.resume' ? asObject(of?.context) : null;
}
