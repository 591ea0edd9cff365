import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playing } from './model/script.ts';
import { programOf } from './programs.ts';
import { gate, isInstalled, openRig, type Rig } from './rig.ts';

const codex = programOf('codex');

describe.runIf(isInstalled('codex'))('Codex CLI with hooks', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig(['--hooks']);
    await rig.newPlan('shop', ['sandboxed']);
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  test('says itself that its session ended', async () => {
    const done = gate();
    rig.model.plays('ends', [{ say: 'Done.', after: done.opened }]);
    const trusted = ['exec', '--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox'];
    await using running = rig.start(codex, [...trusted, playing('ends')]);
    const isRunning = async () => (await rig.sessions(codex.id)).find(({ state }) => state === 'running');
    const [{ sessionId }] = await rig.until(isRunning, 'a running session');
    done.open();
    await running.ended;
    const isGone = async () =>
      (await rig.sessions(codex.id)).find((one) => one.sessionId === sessionId && one.state === 'gone');
    const [session] = await rig.until(isGone, 'its end');
    expect(session.reason).toBe('session_end:other');
  });

  test('claims in its sandbox without being asked', async () => {
    rig.model.plays('sandboxed', [
      { signalbox: 'claim_node', input: { plan: 'shop', node: 'sandboxed', agent: 'cody' } },
      { say: 'Claimed.' },
    ]);
    const { output } = await rig.start(codex, ['exec', '-s', 'workspace-write', playing('sandboxed')]).ended;
    expect(output).toContain('signalbox/claim_node (completed)');
    const { body } = await rig.call('GET', '/api/plans/shop/status');
    expect(body.nodes).toMatchObject([{ claim: { agent: 'cody' } }]);
  });
});
