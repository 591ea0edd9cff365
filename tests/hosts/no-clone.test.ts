import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';

const patience = { interval: 100 };

async function typed({ url, home }: Started, ...args: string[]): Promise<string> {
  await using command = signalbox(args, { SIGNALBOX_SERVICE_URL: url }, home);
  expect(await command.ended, command.err()).toBe(0);
  return command.out();
}

test('if no host has a clone, every host reports it, and what to do', async () => {
  const Store = await cloneDatabase();
  const host = (HostName: string) =>
    start({ clock: systemClock, settings: { Store, HostName, LicenceGate: 'off', ObserveSeconds: '1' } });
  await using ada = await host('ada');
  await using bob = await host('bob');
  const nodes = [{ id: 'schema', binding: { kind: 'commit' } }];
  await ada.call('POST', '/api/plans', { plan: 'api', repository: 'acme/api', nodes });
  const reason = async (one: Started) => (await one.call('GET', '/api/plans/api/nodes/schema')).body?.evidence?.detail;
  for (const one of [ada, bob])
    await expect.poll(() => reason(one), patience).toMatch(/^no local clone of acme\/api is registered/);
});

test('a repository is registered and noted by REST and from the command line', async () => {
  await using service = await start();
  const at = '/api/repositories/acme/api';
  const registered = await service.call('PUT', `${at}?by=ada`, { description: 'The API', paths: ['/src/api'] });
  expect([registered.status, registered.body.paths]).toEqual([200, ['/src/api']]);
  expect((await service.call('PUT', at, { paths: ['.'] })).body.code).toBe('invalid_request');
  const noted = await service.call('POST', `${at}/notes?by=ada`, { topic: 'build', text: 'Run the generator first' });
  expect([noted.status, noted.body.by]).toEqual([201, 'ada']);
  await typed(
    service,
    'register_repository',
    '--owner',
    'acme',
    '--name',
    'web',
    '--paths',
    '/src/web',
    '--its-url',
    'https://web',
  );
  await typed(service, 'note_repository', '--owner', 'acme', '--name', 'web', '--text', 'Ask eve');
  const { body } = await service.call('GET', '/api/repositories/acme/web');
  expect(body).toMatchObject({
    url: 'https://web',
    paths: ['/src/web'],
    notes: [{ text: 'Ask eve' }],
    workingTrees: [],
  });
});
