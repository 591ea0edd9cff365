import { commandFor } from '../../kernel/command.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import { maxObserved, type ObservationBatch, observationAnswer, observationBatch } from './contract.ts';

export type ObserversContext = {
  observers: { receive(batch: ObservationBatch): Promise<Refusal | { resend: boolean }> };
};

const command = commandFor<ObserversContext>();

const first = {
  observer: 'devbox',
  life: '00000000-0000-4000-8000-000000000000',
  sequence: 1,
  whole: true,
  sentAt: '2026-01-01T00:00:00.000Z',
};

const send = command({
  name: 'send_observations',
  description:
    'Accepts what an observer sees of the sessions, trees and changed paths where it runs: everything first, then only changes.',
  effect: 'write',
  scope: 'observe',
  gate: 'never',
  mcp: false,
  repeatable: true,
  auditsOnly: 'refusals',
  input: observationBatch,
  output: observationAnswer,
  rest: {
    method: 'POST',
    path: '/api/observers/{observer}',
    maxBytes: 8 * 1024 * 1024,
    maxValues: maxObserved * 200,
  },
  examples: [
    { title: 'the first message of an observer', input: first },
    { title: 'an invalid name', input: { ...first, observer: 'dev box' }, refused: 'invalid_request' },
    {
      title: 'a second observer of the same name',
      given: [['send_observations', first]],
      input: { ...first, life: '00000000-0000-4000-8000-000000000001' },
      refused: 'observer_name_taken',
    },
  ],
  run: ({ observers }, batch) => observers.receive(batch),
});

export const observerCommands = [send] as const;
