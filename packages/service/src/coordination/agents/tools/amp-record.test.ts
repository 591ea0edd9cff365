import { expect, test } from 'vitest';
import { ampTurnOf } from './amp.ts';

const assistant = (state: object | undefined, content: object[] = []) => ({ role: 'assistant', state, content });

test.each([
  ['an answer that is being written', assistant({ type: 'streaming' }), 'open', 'model'],
  ['an answer that ended', assistant({ type: 'complete', stopReason: 'end_turn' }), 'closed', 'end_turn'],
  ['an answer that a person stopped', assistant({ type: 'cancelled' }), 'closed', 'user_interrupt'],
  ['an answer that failed', assistant({ type: 'error' }), 'closed', 'error'],
  ['a call', assistant({ type: 'complete' }, [{ type: 'tool_use', name: 'Bash' }]), 'open', 'tool:Bash'],
  ['a state of tomorrow', assistant({ type: 'dreaming' }), 'unclear', 'unrecognised_state:dreaming'],
  ['an answer without a state', assistant(undefined), 'unclear', 'unrecognised_state:other'],
  ['a prompt', { role: 'user', content: [] }, 'open', 'model'],
])('%s sets the turn of an Amp thread', (_, message, state, detail) => {
  expect(ampTurnOf([message])).toMatchObject({ state, detail });
});
