import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createPackageObserver } from '../../packages/service/src/coordination/evidence/io/package-observer.ts';
import type { EvidenceTarget } from '../../packages/service/src/coordination/evidence/ports.ts';
import { addGitHubWebhook } from '../../packages/service/src/edge/github-webhook.ts';
import { start } from '../start.ts';

/** Records the addresses that were requested from it. */
async function recordingServer(answer = '{}') {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`.trim());
    response.setHeader('content-type', 'application/json').end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { asked, port: (server.address() as AddressInfo).port };
}

test('the name of a package is always one segment of the requested URL', async () => {
  const { asked, port } = await recordingServer('{"versions":{}}');
  const feeds = { npmRegistryUrl: `http://127.0.0.1:${port}/registry`, nuGetUrl: undefined };
  const names = ['@acme/sdk', 'a?b#c', '..', '@acme/..', 'a/../../b', 'ä'];
  const targets = names.map((name) => ({ binding: { kind: 'package', registry: 'npm', name, version: '1' } }));
  const found = await createPackageObserver(feeds).observe(targets as unknown as EvidenceTarget[]);
  expect(asked.sort()).toEqual(['/registry/%C3%A4', '/registry/@acme%2fsdk', '/registry/a%3Fb%23c']);
  expect(found[2]?.observation.detail).toBe('.. is not a valid package name; correct the binding');
});

test('a password in Service:PublisherUrl is sent to that console and never shown', async () => {
  const { asked, port } = await recordingServer('[]');
  const publisherUrl = `http://ada:s3cret@127.0.0.1:${port}`;
  await using service = await start({ settings: { PublisherUrl: publisherUrl } });
  service.clock.advance(2_000);
  await service.clock.tick();
  const basic = `Basic ${Buffer.from('ada:s3cret').toString('base64')}`;
  await expect.poll(() => asked).toContain(`/api/runs ${basic}`);
  await service.call('GET', '/api/runs/r1');
  expect(service.logged()).not.toContain('s3cret');
});

test('a GitHub webhook counts once, even if sent again under another id', async () => {
  const app = Fastify();
  let looks = 0;
  addGitHubWebhook(app, 'hush', () => {
    looks += 1;
  });
  const deliver = async (body: string, id: string) => {
    const signature = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`;
    const headers = { 'x-hub-signature-256': signature, 'x-github-delivery': id };
    return (await app.inject({ method: 'POST', url: '/api/observations/github', body, headers })).statusCode;
  };
  for (const id of ['a', 'a', 'b']) expect(await deliver('{"number":1}', id)).toBe(204);
  expect(looks).toBe(1);
  expect(await deliver('{"number":2}', 'c')).toBe(204);
  expect(looks).toBe(2);
});

test('an archive made by hand keeps its first line behind a byte order mark', async () => {
  const first = await start();
  await first.stop();
  const line = (event: object) => `${JSON.stringify({ runId: 'r1', ...event })}\n`;
  const text = line({ type: 'run_started', suite: 'unit' }) + line({ type: 'run_finished', exitCode: 0 });
  mkdirSync(join(first.dataPath, 'runs'), { recursive: true });
  writeFileSync(join(first.dataPath, 'runs', 'r1.ndjson'), `\uFEFF${text}`);
  await using service = await start({ home: first.home });
  expect((await service.console('GET', '/api/runs/r1')).body.run).toMatchObject({ suite: 'unit', state: 'finished' });
  expect(service.logged()).not.toContain('skipped');
});
