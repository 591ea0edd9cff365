import type { ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { signalbox } from '../publishers/signalbox.ts';
import { start } from '../start.ts';

/** A proxy before a service that answers 503 for the list of needs, or nothing, while the test says so. */
async function openGateway(to: string) {
  const gateway = { url: '', isAway: false, isDeaf: false, refused: 0 };
  const server = createServer((asked, answer) => {
    if (asked.url?.startsWith('/api/needs') && (gateway.isAway || gateway.isDeaf)) {
      gateway.refused += 1;
      if (!gateway.isDeaf) answer.writeHead(503).end('Service Unavailable');
      return;
    }
    const { method = 'GET', headers } = asked;
    const passed = request(`${to}${asked.url}`, { method, headers: { ...headers, host: new URL(to).host } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers).flushHeaders();
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(gateway, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

test.skipIf(process.platform !== 'linux').each([
  ['could not list', 'isAway'],
  ['did not answer the question for', 'isDeaf'],
] as const)('desktop notifications go on after the service %s what is needed', async (_, how) => {
  await using service = await start({ clock: systemClock });
  await using gateway = await openGateway(service.url);
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-notify-'));
  await writeFile(join(folder, 'notify-send'), '#!/bin/sh\n');
  await chmod(join(folder, 'notify-send'), 0o755);
  const plan = (slug: string) => service.call('POST', '/api/plans', { plan: slug, nodes: [{ id: 'a', title: 'A' }] });
  let shown = '';
  let child: ChildProcess | undefined;
  const env = { PATH: `${folder}${delimiter}${process.env.PATH}`, DISPLAY: ':0' };
  const ended = signalbox(folder, ['notify', '--url', gateway.url], env, (started) => {
    child = started;
    started.stdout?.on('data', (text) => (shown += text));
  });
  await expect.poll(() => shown).toContain('Showing what needs you');
  gateway[how] = true;
  await plan('shop');
  await expect.poll(() => gateway.refused).toBeGreaterThan(0);
  gateway[how] = false;
  await service.call('POST', '/api/plans/shop/nodes/a/claim', { agent: 'ada' });
  await service.call('POST', '/api/plans/shop/nodes/a/release', { agent: 'ada', outcome: 'submitted' });
  await expect.poll(() => shown).toContain('Submitted by ada');
  child?.kill();
  expect((await ended).stderr).not.toContain('503');
  await rm(folder, { recursive: true });
});

test.skipIf(process.platform !== 'linux')(
  'without the program that shows notifications one line names it',
  async () => {
    await using service = await start({ clock: systemClock });
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-notify-'));
    const ended = signalbox(folder, ['notify', '--url', service.url], { PATH: folder }, (child) => {
      child.stdout?.once('data', async () => {
        await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a', title: 'A' }] });
        await service.call('POST', '/api/plans/shop/nodes/a/claim', { agent: 'ada' });
        await service.call('POST', '/api/plans/shop/nodes/a/release', { agent: 'ada', outcome: 'submitted' });
      });
    });
    expect(await ended).toMatchObject({
      code: 1,
      stderr: 'notify-send is not installed, but notifications need it on this system.\n',
    });
    await rm(folder, { recursive: true });
  },
);
