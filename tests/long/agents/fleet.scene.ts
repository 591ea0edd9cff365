import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playing } from './model/script.ts';
import { programOf } from './programs.ts';
import { gate, git, isInstalled, openRig, type Rig } from './rig.ts';

const root = join(import.meta.dirname, '..', '..', '..');
let rig: Rig;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-fleet-'));
  execFileSync(process.execPath, [join(root, 'scripts', 'build-client.ts')]);
  const installed = join(folder, 'node_modules', 'signalbox-client');
  mkdirSync(installed, { recursive: true });
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, 'packages', 'client', part), join(installed, part), { recursive: true });
  cpSync(join(root, 'examples', 'fleet', 'agents.mjs'), join(folder, 'agents.mjs'));
  rig = await openRig();
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['claude-code', 'codex'] as const)('a fleet of %s', (id) => {
  const { bin } = programOf(id);

  test.runIf(isInstalled(id))('works on two nodes at once, each in its worktree, with its session linked', async () => {
    const working = gate();
    const nodes = ['one', 'two'].map((name) => ({
      id: name,
      description: playing(`fleet-${id}-${name}`),
      binding: { kind: 'signOff' },
    }));
    for (const { id: name } of nodes)
      rig.model.plays(`fleet-${id}-${name}`, [{ say: 'I am done.', after: working.opened }]);
    await rig.call('POST', '/api/plans', { plan: `fleet-${id}`, repository: 'acme/shop', nodes });
    await using running = rig.script(join(folder, 'agents.mjs'), [bin, '2']);
    const linked = async () => {
      const sessions = (await rig.sessions(id)).filter(({ claims }) =>
        claims.some(({ plan }) => plan === `fleet-${id}`),
      );
      const isHeld = sessions.every(({ claims }) => claims.every(({ health }) => health === 'held'));
      return sessions.length === 2 && isHeld && sessions;
    };
    const [sessions] = await rig.until(linked, `two linked sessions of ${id}: ${running.output()}`);
    expect(sessions.map(({ cwd }) => cwd?.split('/').at(-1)).toSorted()).toEqual([
      `fleet-${id}-one`,
      `fleet-${id}-two`,
    ]);
    expect(sessions.map(({ branch }) => branch).toSorted()).toEqual([`node/fleet-${id}/one`, `node/fleet-${id}/two`]);
    for (const { claims } of sessions) expect(claims).toMatchObject([{ correlation: 'strong', linkedBy: 'argument' }]);
    working.open();
    const notes = async () => {
      const { body } = await rig.call('GET', `/api/plans/fleet-${id}/status`);
      const left = body.nodes.map((node: { lastClaim: { note: string } | null }) => node.lastClaim?.note ?? null);
      return left.every((note: string | null) => note?.startsWith('done on node/')) && left;
    };
    await rig.until(notes, `both given back: ${running.output()}`);
    running.child.kill('SIGTERM');
    await running.ended;
    expect(git(rig.place.project, 'worktree', 'list')).toContain(`fleet-${id}-two`);
  });
});
