import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloneIn, nodeOf, observeAgain, register } from '../evidence-clone.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

verifies(
  [
    'binding:commit-done-when-trailer',
    'binding:commit-default-branch',
    'binding:commit-local-clone',
    'binding:dependency-done-when-taken',
  ],
  'a commit with the trailer, and a committed manifest, prove their nodes within one look; on another branch they do not',
  async () => {
    await using service = await start();
    const { folder, git } = cloneIn(service.home);
    await register(service, folder);
    const nodes = [
      { id: 'work', binding: { kind: 'commit' } },
      { id: 'bump', binding: { kind: 'dependency', repository: 'acme/shop', name: 'sdk', version: '^2.0.0' } },
    ];
    await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes });
    const manifest = (version: string) =>
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { sdk: version } }));
    manifest('^1.4.0');
    git('add', '.');
    git('commit', '-qm', 'Begin');
    await observeAgain(service);
    expect(await nodeOf(service, 'work')).toMatchObject({ status: 'ready', evidence: { state: 'noCommit' } });
    expect(await nodeOf(service, 'bump')).toMatchObject({ status: 'ready', evidence: { state: 'notTaken' } });

    git('checkout', '-qb', 'feature');
    manifest('^2.1.0');
    git('commit', '-qam', 'Do it\n\nPlan-Node: P/Work');
    await observeAgain(service);
    expect((await nodeOf(service, 'work')).evidence.state).toBe('noCommit');
    expect((await nodeOf(service, 'bump')).evidence.state).toBe('notTaken');

    git('checkout', '-q', 'main');
    git('merge', '-q', 'feature');
    manifest('^9.0.0');
    await observeAgain(service);
    expect(await nodeOf(service, 'work')).toMatchObject({
      status: 'done',
      evidence: { state: 'committed', provenance: 'observed' },
    });
    expect(await nodeOf(service, 'bump')).toMatchObject({
      status: 'done',
      evidence: { state: 'taken', detail: 'main uses sdk ^2.1.0' },
    });
  },
);

verifies(
  ['binding:package-done-when-published', 'config:npm-registry', 'config:nuget-url'],
  'a version on the feed proves its node by range, on npm and on NuGet',
  async () => {
    const versions = ['1.0.0', '2.0.0-rc.1'];
    const feed = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://x');
      const send = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      if (pathname === '/%40acme%2fsdk' || pathname === '/@acme%2fsdk')
        return send({ versions: Object.fromEntries(versions.map((version) => [version, {}])) });
      if (pathname === '/v3/index.json')
        return send({
          resources: [{ '@id': `http://${request.headers.host}/flat/`, '@type': ['PackageBaseAddress/3.0.0'] }],
        });
      if (pathname === '/flat/acme.sdk/index.json') return send({ versions });
      return response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(feed.address() as AddressInfo).port}`;
    await using service = await start({ settings: { NpmRegistryUrl: url, NuGetUrl: `${url}/v3/index.json` } });
    const bound = (registry: string, name: string, version: string) => ({
      binding: { kind: 'package', registry, name, version },
    });
    const nodes = [
      { id: 'npm', ...bound('npm', '@acme/sdk', '^2.0.0') },
      { id: 'nuget', ...bound('nuget', 'Acme.Sdk', '^2.0.0') },
      { id: 'none', ...bound('npm', '@acme/none', '*') },
    ];
    await service.call('POST', '/api/plans', { plan: 'p', nodes });
    await observeAgain(service);
    for (const { id } of nodes) expect.soft((await nodeOf(service, id)).evidence.state, id).toBe('notPublished');
    await observeAgain(service);
    expect((await nodeOf(service, 'none')).evidence.detail).toBe('@acme/none is not on npm');
    versions.push('2.0.1');
    await observeAgain(service);
    for (const id of ['npm', 'nuget'])
      expect.soft(await nodeOf(service, id), id).toMatchObject({ status: 'done', evidence: { state: 'published' } });
    await new Promise((resolve) => feed.close(resolve));
    feed.closeAllConnections();
    await observeAgain(service);
    expect(await nodeOf(service, 'npm')).toMatchObject({
      status: 'done',
      why: expect.stringContaining('could not be reached'),
    });
  },
);

test('a real package of the npm registry proves its node by range, and an unpublished version does not', async (context) => {
  await using service = await start();
  const bound = (version: string) => ({ binding: { kind: 'package', registry: 'npm', name: 'is-number', version } });
  const nodes = [
    { id: 'published', ...bound('^7.0.0') },
    { id: 'never', ...bound('99.99.99') },
  ];
  await service.call('POST', '/api/plans', { plan: 'p', nodes });
  await observeAgain(service);
  const published = await nodeOf(service, 'published');
  context.skip(/could not be reached/.test(published.why), 'the registry of this machine cannot be reached');
  expect(published).toMatchObject({
    status: 'done',
    evidence: { state: 'published', detail: 'is-number 7.0.0 is on npm' },
  });
  expect(await nodeOf(service, 'never')).toMatchObject({
    status: 'ready',
    evidence: { state: 'notPublished', detail: 'npm has no is-number 99.99.99; its newest is 7.0.0' },
  });
});
