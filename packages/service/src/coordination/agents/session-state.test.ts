import { describe, expect, test } from 'vitest';
import { deriveSessionState, type SessionSignals, stateRules } from './session-state.ts';
import { noTurn, type Turn } from './turn.ts';

const openTurn: Turn = { state: 'open', detail: 'tool:Bash', waiting: false };
const closedTurn: Turn = { state: 'closed', detail: 'end_turn', waiting: false };
const unclearTurn: Turn = { state: 'unclear', detail: 'unrecognised_stop:other', waiting: false };

const minutes = 60_000;
const nothing: SessionSignals = {
  entry: null,
  registry: 'clean',
  turn: noTurn,
  ageMs: null,
  replaced: null,
  rebindUnclear: false,
  rebound: false,
  ended: null,
  reopened: false,
  processEnded: false,
  processInCwd: false,
  previous: null,
};
const living = (status: 'busy' | 'idle' | 'waiting' | 'shell' | null, waitingFor: string | null = null) =>
  ({ liveness: 'live', status, waitingFor }) as const;
const left = (liveness: 'dead' | 'reused' | 'foreign') => ({ liveness, status: 'busy', waitingFor: null }) as const;

type Case = [says: string, evidence: Partial<SessionSignals>, expected: object];

const cases: readonly Case[] = [
  [
    '1: a degraded registry makes an unseen session unknown',
    { registry: 'degraded', turn: closedTurn },
    { state: 'unknown', reason: 'registry_degraded' },
  ],
  [
    '1: and leaves a known one as it was',
    {
      registry: 'degraded',
      previous: { state: 'idle', reason: 'end_turn', activity: null, inferred: false },
      turn: openTurn,
    },
    { state: 'idle', reason: 'end_turn' },
  ],
  [
    '1: but not one that the registry still names',
    { registry: 'degraded', entry: living('busy') },
    { state: 'running' },
  ],
  [
    '2: a session whose process serves a newer one is gone',
    { replaced: '/clear', turn: closedTurn },
    { state: 'gone', reason: 'replaced:/clear' },
  ],
  [
    '2: with several possible successors nobody knows',
    { rebindUnclear: true, entry: living('busy') },
    { state: 'unknown', reason: 'several_successors' },
  ],
  [
    '3: busy is running, however silent',
    { entry: living('busy'), turn: openTurn, ageMs: 600 * minutes },
    { state: 'running', reason: 'tool:Bash', activity: null },
  ],
  [
    '3: busy with a closed turn has begun a new one',
    { entry: living('busy'), turn: closedTurn },
    { state: 'running', reason: 'turn' },
  ],
  [
    '4: waiting for a permission is mid-turn',
    { entry: living('waiting', 'permission prompt'), turn: openTurn },
    { state: 'running', reason: 'waiting:permission prompt', activity: 'waiting' },
  ],
  [
    '5: idle carries how the turn ended',
    { entry: living('idle'), turn: { ...closedTurn, detail: 'user_interrupt' } },
    { state: 'idle', reason: 'user_interrupt' },
  ],
  [
    '5: idle without a known end says so',
    { entry: living('idle'), turn: openTurn },
    { state: 'idle', reason: 'turn_ended' },
  ],
  [
    '6: idle with a living shell is idle',
    { entry: living('shell'), turn: closedTurn },
    { state: 'idle', reason: 'end_turn', activity: 'background_shell' },
  ],
  [
    '7: without a status a closed turn is idle, inferred',
    { entry: living(null), turn: closedTurn },
    { state: 'idle', reason: 'end_turn', inferred: true },
  ],
  ['7: so is one that never began', { entry: living(null) }, { state: 'idle', reason: 'no_turn', inferred: true }],
  [
    '8: without a status a young open turn is running, inferred',
    { entry: living(null), turn: openTurn, ageMs: 14 * minutes },
    { state: 'running', reason: 'tool:Bash', inferred: true },
  ],
  [
    '8: a question to the person is waiting',
    { entry: living(null), turn: { ...openTurn, detail: 'tool:AskUserQuestion', waiting: true }, ageMs: 0 },
    { state: 'running', activity: 'waiting' },
  ],
  [
    '9: without a status an old open turn is unknown',
    { entry: living(null), turn: openTurn, ageMs: 15 * minutes },
    { state: 'unknown', reason: 'open_turn_stale' },
  ],
  [
    '9: a format nobody knows is unknown, with its reason',
    { entry: living(null), turn: unclearTurn },
    { state: 'unknown', reason: 'unrecognised_stop:other' },
  ],
  [
    '10: the end that a hook told is the cause',
    { ended: 'logout', turn: closedTurn },
    { state: 'gone', reason: 'session_end:logout' },
  ],
  ['10: a hook cannot end a process that lives', { ended: 'logout', entry: living('busy') }, { state: 'running' }],
  [
    '11: a dead process in the middle of a turn was killed',
    { entry: left('dead'), turn: openTurn },
    { state: 'gone', reason: 'killed_mid_turn' },
  ],
  [
    'a process of another system cannot be seen from here',
    { entry: left('foreign'), turn: openTurn },
    { state: 'unknown', reason: 'other_system' },
  ],
  [
    '11: a reused pid is not the process',
    { entry: left('reused'), turn: openTurn },
    { state: 'gone', reason: 'killed_mid_turn' },
  ],
  [
    '12: a dead process after its turn was killed between turns',
    { entry: left('reused'), turn: closedTurn },
    { state: 'gone', reason: 'killed_after:end_turn' },
  ],
  [
    'a record written after it was found gone reopens it as unknown',
    { entry: left('dead'), turn: openTurn, reopened: true, ageMs: 1000 },
    { state: 'unknown', reason: 'written_after_gone' },
  ],
  [
    'a process that was seen and has ended in a turn exited in it, whatever was written last',
    { processEnded: true, turn: openTurn, ageMs: 10 },
    { state: 'gone', reason: 'exited_mid_turn' },
  ],
  [
    'a process that was seen and has ended after its turn has exited',
    { processEnded: true, turn: closedTurn, ageMs: 10 },
    { state: 'gone', reason: 'exited:end_turn' },
  ],
  [
    '13: not registered but just written is unknown',
    { turn: openTurn, ageMs: 89_999 },
    { state: 'unknown', reason: 'unregistered_recent_write' },
  ],
  [
    '14: not registered and silent after its turn has exited',
    { turn: closedTurn, ageMs: 90_000 },
    { state: 'gone', reason: 'exited:end_turn' },
  ],
  [
    '15: not registered and silent in a turn has exited in it',
    { turn: openTurn, ageMs: 90_000 },
    { state: 'gone', reason: 'exited_mid_turn' },
  ],
  [
    '16: without a registry a process in its directory is running',
    { registry: 'unused', processInCwd: true, turn: openTurn, ageMs: 20 * minutes },
    { state: 'running', reason: 'tool:Bash', inferred: true },
  ],
  [
    '16: or idle',
    { registry: 'unused', processInCwd: true, turn: closedTurn },
    { state: 'idle', reason: 'end_turn', inferred: true },
  ],
  [
    '17: without a registry, a process or a recent record it is gone',
    { registry: 'unused', turn: closedTurn, ageMs: 15 * minutes },
    { state: 'gone', reason: 'exited:end_turn', inferred: true },
  ],
  [
    '18: otherwise nothing tells whether it lives',
    { registry: 'unused', turn: closedTurn, ageMs: 14 * minutes },
    { state: 'unknown', reason: 'no_liveness_evidence' },
  ],
  [
    'what a process took over by conclusion is inferred',
    { entry: living('busy'), rebound: true },
    { state: 'running', inferred: true },
  ],
];

describe('the state of a session is that of the first matching rule', () => {
  test.each(cases)('%s', (_says, evidence, expected) => {
    expect(deriveSessionState({ ...nothing, ...evidence })).toMatchObject(expected);
  });

  test('every row is the first that fits for one of these cases', () => {
    const hit = new Set(
      cases.map(([, evidence]) => stateRules.findIndex(({ when }) => when({ ...nothing, ...evidence }))),
    );
    expect(stateRules.map((_, index) => index).filter((index) => !hit.has(index))).toEqual([]);
  });
});
