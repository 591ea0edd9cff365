import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimIn, playing, type Seen } from './model/script.ts';
import { programs } from './programs.ts';
import { gate, isInstalled, openRig, type Rig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  const nodes = ['claude', 'codex', 'gemini', 'copilot', 'opencode'].map((id) => ({
    id,
    title: id,
    binding: { kind: 'suite' },
  }));
  const plan = { plan: 'shop', title: 'Shop', repository: 'acme/shop', nodes };
  expect((await rig.call('POST', '/api/plans', plan)).status).toBe(201);
  const tools = programs.map(({ id }) => id).join(',');
  expect(rig.signalbox('connect', '--yes', '--url', rig.url, '--for', tools)).toMatchObject({ code: 0 });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe.each(programs)('$name', (program) => {
  const { id, tool } = program;
  const claim = (seen: Seen) => ({ ...claimIn(seen), agent: id });

  test.runIf(isInstalled(id))('claims a node, reports, runs its tests and releases it', async () => {
    const working = gate();
    rig.model.plays(`loop-${id}`, [
      { signalbox: 'claim_node', input: { plan: 'shop', node: id, agent: id } },
      { shell: 'echo working', after: working.opened },
      { signalbox: 'report_node', input: (seen) => ({ ...claim(seen), note: 'half way' }) },
      { shell: `signalbox run --node shop/${id} -- npm test` },
      { signalbox: 'release_node', input: claim },
      { say: 'Released.' },
    ]);
    await using running = rig.start(program, program.headless(playing(`loop-${id}`)));
    const [session] = await rig.until(
      async () => (await rig.sessions(tool)).find(({ state }) => state === 'running'),
      `${program.name} on the board`,
    );
    expect(session).toMatchObject({ cwd: rig.place.project, repository: 'acme/shop', branch: 'main' });
    const [{ claims }] = await rig.until(
      async () => (await rig.sessions(tool)).find((one) => one.claims.length > 0),
      'the claim on its session',
    );
    expect(claims).toMatchObject([{ plan: 'shop', node: id, health: 'held' }]);
    working.open();
    expect(await running.ended).toMatchObject({ code: 0, output: expect.stringContaining('Released.') });
    const { body: plan } = await rig.call('GET', '/api/plans/shop/status');
    const node = plan.nodes.find((one: { id: string }) => one.id === id);
    expect(node).toMatchObject({ claim: null });
  });
});
