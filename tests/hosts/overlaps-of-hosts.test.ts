import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { createAgentHome, toolUse } from '../agents/agent-home.ts';
import { gitIn, gitRepository } from '../agents/git-repository.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

/** A host with its own clone, in which an agent works. */
async function hostWithClone(Store: string, HostName: string, number: number) {
  const home = await createAgentHome();
  const clone = join(home.root, `shop-of-${HostName}`);
  gitRepository(clone, 'acme/shop');
  await writeFile(join(clone, 'price.ts'), 'one\ntwo\nthree\n');
  gitIn(clone)('add', '.');
  gitIn(clone)('commit', '-q', '-m', 'Files');
  const session = await home.session(number, clone);
  await session.appendRecord(toolUse('Edit'));
  await session.reportStatus('busy');
  const settings = { Store, HostName, LicenceGate: 'off', SessionsPath: home.config };
  return { home, clone, session, service: await start({ clock: systemClock, settings }) };
}

verifies(
  'overlap:hosts',
  'agents on two hosts that change the same lines of one repository are seen by both',
  async () => {
    const store = await cloneDatabase();
    const ada = await hostWithClone(store, 'ada', 1);
    const bob = await hostWithClone(store, 'bob', 2);
    await using _ada = ada.service;
    await using _bob = bob.service;
    await using _home = ada.home;
    await using _other = bob.home;
    await writeFile(join(ada.clone, 'price.ts'), 'one\n2\nthree\n');
    await writeFile(join(bob.clone, 'price.ts'), 'one\nTWO\nthree\n');
    const trees = [
      { host: 'ada', root: ada.clone, sessions: [ada.session.sessionId] },
      { host: 'bob', root: bob.clone, sessions: [bob.session.sessionId] },
    ];
    for (const { service } of [ada, bob]) {
      const overlaps = async () => (await service.call('GET', '/api/overlaps')).body.items;
      await expect.poll(overlaps).toMatchObject([
        {
          kind: 'same_lines',
          path: 'price.ts',
          trees: expect.arrayContaining(trees.map((one) => expect.objectContaining(one))),
        },
      ]);
    }
    await bob.service.stop();
    await expect.poll(async () => (await ada.service.call('GET', '/api/overlaps')).body.items).toEqual([]);
  },
);
