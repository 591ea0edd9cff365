import { toolNameOf } from './record-members.ts';
import { noTurn, type Turn, vocabularyWord } from './turn.ts';

/** What the newest message of an OpenCode session tells, as its columns and members name it. No text of it is read. */
export type OpenCodeMessage = {
  role: string | null;
  completedAt: number | null;
  finish: string | null;
  error: string | null;
  /** The newest part of the message, where it is a call of a tool. */
  tool: string | null;
  toolStatus: string | null;
};

const open = (what: string): Turn => ({ state: 'open', detail: what, waiting: false });
const closed = (what: string): Turn => ({ state: 'closed', detail: what, waiting: false });
const unfinished = new Set(['pending', 'running']);

export function openCodeTurnOf(message: OpenCodeMessage | null): Turn {
  if (!message) return noTurn;
  if (message.role === 'user') return open('model');
  if (message.role !== 'assistant') return noTurn;
  if (message.error !== null) {
    return closed(
      message.error === 'MessageAbortedError' ? 'user_interrupt' : `error:${vocabularyWord(message.error) ?? 'other'}`,
    );
  }
  if (message.completedAt === null) {
    const calls = message.tool !== null && unfinished.has(message.toolStatus ?? '');
    return open(calls ? `tool:${toolNameOf(message.tool)}` : 'model');
  }
  // Each call of the model is a message of its own: this one only ends a step.
  if (message.finish === 'tool-calls') return open('model');
  return closed(
    message.finish === 'stop' ? 'end_turn' : (vocabularyWord(message.finish?.replaceAll('-', '_')) ?? 'turn_ended'),
  );
}
