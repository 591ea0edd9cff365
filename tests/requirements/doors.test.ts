import { expect, test } from 'vitest';
import { recordExercised } from '../exercised.ts';
import { doorsIn } from './doors.ts';

const named = (sentence: string) => doorsIn(sentence).map(({ name }) => name);

test('a sentence names routes, commands, settings and CLI commands', () => {
  expect(named('GET /api/plans/{slug} answers the plan, as `plan_status` does.')).toEqual([
    'GET /api/plans/{slug}',
    'plan_status',
  ]);
  expect(named('Without `Service:Store` the store is a SQLite file.')).toEqual(['Service:Store']);
  expect(named('`signalbox licence keygen` writes a pair of keys.')).toEqual(['`signalbox licence']);
  expect(named('A refusal has a code such as `node_done`.')).toEqual([]);
});

test('only what was called counts as reached, by its own method and path', async () => {
  const refused = () => fetch('http://127.0.0.1:1/api/plans/rel?x=1').catch(() => undefined);
  const exercised = await recordExercised(async () => void (await refused()));
  const reached = (sentence: string) => doorsIn(sentence).map(({ isReached }) => isReached(exercised));
  expect(reached('GET /api/plans/{slug} answers.')).toEqual([true]);
  expect(reached('PUT /api/plans/{slug} answers.')).toEqual([false]);
  expect(reached('GET /api/plans lists.')).toEqual([false]);
  expect(reached('The tool `get_plan` answers, `claim_node` does not.')).toEqual([false, true]);
});
