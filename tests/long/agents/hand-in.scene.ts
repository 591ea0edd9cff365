import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimIn, playing } from './model/script.ts';
import { programOf } from './programs.ts';
import { isInstalled, openRig, type Rig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The outcome that the texts of the tools name for a finished part. */
const outcomeIn = (words: string): string =>
  /outcome: (\w+) when your part is finished/.exec(words)?.[1] ?? 'not named';

describe.each(['claude-code', 'codex'] as const)('%s', (id) => {
  const program = programOf(id);
  const work = (name: string) =>
    rig.model.plays(`${name}-${id}`, [
      { signalbox: 'claim_next', input: { plan: `hand-in-${id}`, agent: name } },
      {
        signalbox: 'release_node',
        input: (seen, words) => ({ ...claimIn(seen), agent: name, outcome: outcomeIn(words), note: 'pushed, CI runs' }),
      },
      { say: 'Submitted.' },
    ]);

  test.runIf(isInstalled(id))('submits a node as the tools say, and the next one is not offered it', async () => {
    const plan = `hand-in-${id}`;
    await rig.newPlan(plan, ['only']);
    work('first');
    await using running = rig.start(program, program.headless(playing(`first-${id}`)));
    expect(await running.ended).toMatchObject({ code: 0, output: expect.stringContaining('Submitted.') });
    const { body: node } = await rig.call('GET', `/api/plans/${plan}/nodes/only`);
    expect(node).toMatchObject({ status: 'submitted', submission: { agent: 'first', note: 'pushed, CI runs' } });

    const answers: string[] = [];
    rig.model.plays(`next-${id}`, [
      { signalbox: 'claim_next', input: { plan, agent: 'next' } },
      {
        shell: (seen) => {
          answers.push(seen.at(-1) ?? '');
          return 'true';
        },
      },
      { say: 'Nothing to do.' },
    ]);
    await using next = rig.start(program, program.headless(playing(`next-${id}`)));
    expect(await next.ended).toMatchObject({ code: 0 });
    expect(answers.join()).toContain('nothing_ready');
  });
});
