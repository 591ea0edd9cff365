import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playing } from './model/script.ts';
import { programs } from './programs.ts';
import { gate, git, isInstalled, openRig, type Rig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  await rig.newPlan(
    'shop',
    programs.map(({ id }) => id),
  );
});
afterAll(() => rig[Symbol.asyncDispose]());

describe.each(programs)('$name', (program) => {
  const { id } = program;

  test.runIf(isInstalled(id))('works in a worktree, and is shown there', async () => {
    const worktree = join(rig.place.project, `.claude/worktrees/${id}`);
    git(rig.place.project, 'worktree', 'add', '-q', '-b', `work-${id}`, worktree);
    const done = gate();
    rig.model.plays(`tree-${id}`, [{ say: 'Done.', after: done.opened }]);
    await using running = rig.start(program, program.headless(playing(`tree-${id}`)), worktree);
    const ask = async () => {
      const { sessions, trees } = await rig.board();
      const session = sessions.find((one) => one.tool === id && one.tree === worktree && one.state === 'running');
      return session && { session, tree: trees.find(({ root }) => root === worktree) };
    };
    const [{ session, tree }] = await rig.until(ask, `${program.name} in its worktree`);
    expect(session).toMatchObject({ repository: 'acme/shop', branch: `work-${id}` });
    expect(tree).toMatchObject({ worktree: true, mainRoot: rig.place.project, contested: false });
    done.open();
    await running.ended;
    const isGone = async () => (await rig.sessions(id)).every(({ state }) => state === 'gone');
    await rig.until(isGone, `${program.name} gone`);
  });

  test.runIf(isInstalled(id) && program.subagent !== null)(
    'lets a subagent claim, and holds the claim itself',
    async () => {
      const working = gate();
      rig.model.plays(`sub-${id}`, [
        { signalbox: 'claim_node', input: { plan: 'shop', node: id, agent: id } },
        { say: 'Claimed.', after: working.opened },
      ]);
      rig.model.plays(`parent-${id}`, [
        { subagent: `sub-${id}`, input: program.subagent ?? {} },
        { say: 'Done.', after: working.opened },
      ]);
      await using running = rig.start(program, program.headless(playing(`parent-${id}`)));
      const isClaimed = async () =>
        (await rig.sessions(id)).find(({ claims }) => claims.some(({ node }) => node === id));
      const [session] = await rig.until(isClaimed, `the claim of a subagent on the session of ${program.name}`);
      const live = (await rig.sessions(id)).filter(({ state, cwd }) => state !== 'gone' && cwd === rig.place.project);
      expect(live.map(({ sessionId }) => sessionId)).toEqual([session.sessionId]);
      if (program.linksItself) expect(session.claims).toMatchObject([{ correlation: 'strong', linkedBy: 'client' }]);
      working.open();
      await running.ended;
    },
  );
});
