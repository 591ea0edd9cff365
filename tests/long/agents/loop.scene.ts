import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measured } from './measured.ts';
import { claimIn, playing, type Seen } from './model/script.ts';
import { programs } from './programs.ts';
import { gate, isInstalled, openRig, type Rig } from './rig.ts';

/** The time within which the board must show it. */
const soonMs = 3_000;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  const ids = programs.map(({ id }) => id);
  await rig.newPlan('shop', [...ids, ...ids.map((id) => `${id}-killed`)]);
});
afterAll(() => rig[Symbol.asyncDispose]());

describe.each(programs)('$name', (program) => {
  const { id, linksItself } = program;
  const claim = (seen: Seen) => ({ ...claimIn(seen), agent: id });
  const sessionOf = async (node: string) =>
    (await rig.sessions(id)).find(({ claims }) => claims.some((one) => one.node === node));

  const linked = linksItself ? ' with a strong link and without hooks' : '';
  test.runIf(isInstalled(id))(`claims a node${linked}, reports, runs its tests, releases it and exits`, async () => {
    const working = gate();
    rig.model.plays(`loop-${id}`, [
      { signalbox: 'claim_node', input: { plan: 'shop', node: id, agent: id } },
      { shell: 'echo working', after: working.opened },
      { signalbox: 'report_node', input: (seen) => ({ ...claim(seen), note: 'half way' }) },
      { shell: `${rig.command} run --node shop/${id} -- npm test` },
      { signalbox: 'release_node', input: claim },
      { say: 'Released.' },
    ]);
    await using running = rig.start(program, program.headless(playing(`loop-${id}`)));
    const [session] = await rig.until(() => sessionOf(id), `the claim on a session of ${program.name}`);
    expect(session).toMatchObject({
      cwd: rig.place.project,
      repository: 'acme/shop',
      branch: 'main',
      state: 'running',
    });
    expect(session.claims).toMatchObject([{ plan: 'shop', node: id, health: 'held' }]);
    const link = linksItself ? ['strong', 'client'] : ['inferred', 'inferred'];
    expect(session.claims.map(({ correlation, linkedBy }) => [correlation, linkedBy])).toEqual([link]);
    working.open();
    expect(await running.ended).toMatchObject({ code: 0, output: expect.stringContaining('Released.') });
    const isGone = async () =>
      (await rig.sessions(id)).find((one) => one.sessionId === session.sessionId && one.state === 'gone');
    const [, took] = await rig.until(isGone, `${program.name} gone after its exit`);
    measured(`exit of ${program.name} seen`, took, soonMs);

    const { body: plan } = await rig.call('GET', '/api/plans/shop/status');
    expect(plan.nodes.find((one: { id: string }) => one.id === id)).toMatchObject({ claim: null });
    const { body: detail } = await rig.call('GET', `/api/agents/${session.sessionId}`);
    if (program.tellsSession) expect(detail.runs).toHaveLength(1);
    expect(detail).toMatchObject({ model: expect.any(String), turns: 1 });
    expect(detail.tokens.output).toBeGreaterThan(0);
    const { body: node } = await rig.call('GET', `/api/plans/shop/nodes/${id}`);
    if (linksItself) expect(node.lastClaim.tokens.output).toBeGreaterThan(0);
    else expect(node.lastClaim.tokens).toBeNull();
  });

  test.runIf(isInstalled(id))('is killed in the middle of its turn, and its claim is orphaned', async () => {
    const node = `${id}-killed`;
    const forever = gate();
    rig.model.plays(`killed-${id}`, [
      { signalbox: 'claim_node', input: { plan: 'shop', node, agent: id } },
      { say: 'Never said.', after: forever.opened },
    ]);
    await using running = rig.start(program, program.headless(playing(`killed-${id}`)));
    await rig.until(() => sessionOf(node), `the claim on a session of ${program.name}`);
    await running.kill();
    const isOrphaned = async () => {
      const session = await sessionOf(node);
      return session?.state === 'gone' && session.claims[0]?.health === 'orphaned' && session;
    };
    const [session, took] = await rig.until(isOrphaned, 'the claim orphaned');
    expect(session.reason).toMatch(/mid_turn/);
    measured(`death of ${program.name} seen`, took, soonMs);
  });
});
