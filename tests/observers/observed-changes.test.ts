import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { observe } from '../../packages/service/src/observer/observe.ts';
import { createAgentHome, toolUse } from '../agents/agent-home.ts';
import { gitIn, gitRepository } from '../agents/git-repository.ts';
import { sessionFactsSample } from '../samples.ts';
import { startClosed, type TokenHolder } from '../tokens.ts';
import { collisionScene, numbered } from '../trees/collision-scene.ts';

const price = 'src/price.ts';

/** A clone in its own home, as in a container, and an agent working in it. */
async function boxWithClone(of: string) {
  const home = await createAgentHome(() => Date.now());
  onTestFinished(() => home[Symbol.asyncDispose]());
  const clone = join(home.root, 'workspace');
  gitRepository(clone, 'acme/shop');
  gitIn(clone)('fetch', '-q', of, 'main');
  gitIn(clone)('reset', '-q', '--hard', 'FETCH_HEAD');
  gitIn(clone)('update-ref', 'refs/remotes/origin/main', 'HEAD');
  const session = await home.session(7, clone);
  await session.appendRecord(toolUse('Edit'));
  await session.reportStatus('busy');
  return { home, clone, session };
}

const overlapsOn = async (holder: TokenHolder) => (await holder.call('GET', '/api/overlaps')).body.items;

test('a tree in a container and one outside that change the same lines overlap, until the observer is lost', async () => {
  const { ada, shop, home, clock } = await collisionScene();
  await using service = await startClosed({ clock, settings: { SessionsPath: home.config, HostName: 'tower' } });
  const { token } = await service.named('boxes', ['observe']);
  const reader = await service.named('ada', ['work']);
  const box = await boxWithClone(shop);
  const observing = observe({
    to: service.url,
    token,
    name: 'shop-dev',
    enter: undefined,
    version: '1',
    claudePaths: [box.home.config],
    folderOf: () => '/nonexistent',
    say: () => undefined,
  });
  await observing.started;
  await ada.write(price, numbered(40, { 3: 'three' }));
  await writeFile(join(box.clone, price), numbered(40, { 30: 'thirty' }));
  await expect.poll(() => overlapsOn(reader)).toMatchObject([{ kind: 'same_file', path: price }]);
  await writeFile(join(box.clone, price), numbered(40, { 3: 'drei' }));
  await expect
    .poll(() => overlapsOn(reader))
    .toMatchObject([
      {
        repository: 'acme/shop',
        path: price,
        kind: 'same_lines',
        trees: [
          { host: 'shop-dev', root: box.clone, sessions: [box.session.sessionId] },
          { host: 'tower', root: ada.tree, sessions: [ada.session.sessionId] },
        ],
      },
    ]);
  const { body } = await reader.call('GET', '/api/agents');
  expect(body.trees.find(({ root }: { root: string }) => root === box.clone)).toMatchObject({
    changes: 1,
    overlaps: 1,
  });
  await observing.stop();
  await expect.poll(() => overlapsOn(reader)).toEqual([]);
});

const changed = (path: string, lines = 1) => ({
  path,
  change: 'modified',
  lines,
  in: [{ text: 'a1b2c3', ranges: [[0, lines]] }],
  since: '2026-01-01T09:00:00.000Z',
  behindSince: null,
});

async function twoBoxes() {
  const service = await startClosed();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const box = await service.named('boxes', ['observe']);
  const reader = await service.named('ada', ['read']);
  const sendAs = (observer: string) => {
    const life = randomUUID();
    let sequence = 0;
    return (more: object) =>
      box.call('POST', `/api/observers/${observer}`, {
        life,
        sequence: ++sequence,
        sentAt: '2026-01-01T09:00:00.000Z',
        ...(sequence === 1 && { whole: true }),
        ...more,
      });
  };
  return { service, reader, sendAs };
}

const treeChanges = (root: string, paths: readonly object[], more: object = {}) => ({
  root,
  repository: 'acme/shop',
  branch: 'main',
  defaultBranch: 'main',
  ignoresCase: false,
  truncated: false,
  paths,
  ...more,
});

test('only what changed is sent of a tree, and a silent observer has no overlaps until it is back', async () => {
  const { service, reader, sendAs } = await twoBoxes();
  const [first, second] = [sendAs('one'), sendAs('two')];
  const root = '/workspace';
  await first({ changes: [treeChanges(root, [changed('a.ts'), changed('b.ts')])] });
  await second({ changes: [treeChanges(root, [changed('b.ts')])] });
  const paths = async () => (await overlapsOn(reader)).map(({ path }: { path: string }) => path);
  await expect.poll(paths).toEqual(['b.ts']);
  await second({ changes: [treeChanges(root, [changed('a.ts')])] });
  await expect.poll(paths).toEqual(['a.ts', 'b.ts']);
  await first({ changes: [treeChanges(root, [], { gonePaths: ['b.ts'] })] });
  await expect.poll(paths).toEqual(['a.ts']);
  service.clock.advance(31_000);
  await service.clock.tick();
  await expect.poll(paths).toEqual([]);
  await first({});
  await second({});
  await expect.poll(paths).toEqual(['a.ts']);
  await second({ goneChanges: [root] });
  await expect.poll(paths).toEqual([]);
});

test('at most 20,000 changed paths of one observer are kept, and a truncated tree is marked', async () => {
  const { reader, sendAs } = await twoBoxes();
  const send = sendAs('one');
  const tree = (root: string) =>
    treeChanges(
      root,
      Array.from({ length: 5_000 }, (_, at) => changed(`src/${at}.ts`)),
    );
  for (const root of ['/a', '/b', '/c', '/d', '/e'])
    expect((await send({ changes: [tree(root)] })).body).toEqual({ resend: false });
  const changes = async () => (await reader.call('GET', '/api/changes')).body.items[0]?.trees;
  await expect.poll(async () => (await changes())?.length).toBe(5);
  const seen = (await changes()).map((one: { files: object[]; changesTruncated: boolean }) => [
    one.files.length,
    one.changesTruncated,
  ]);
  expect(seen).toEqual([...Array(4).fill([5_000, false]), [0, true]]);
});

test('an observer that sends no changes, or members of a later version, is taken as it is', async () => {
  const { reader, sendAs } = await twoBoxes();
  const session = sessionFactsSample({ sessionId: 's-1' });
  expect((await sendAs('old')({ sessions: [session] })).status).toBe(200);
  expect((await sendAs('new')({ sessions: [{ ...session, mood: 'fine' }], weather: 'rain' })).status).toBe(200);
  expect((await reader.call('GET', '/api/hosts')).body).toHaveLength(3);
});

test('an earlier service that refuses changed paths gets everything else', async () => {
  const { clone, home } = await boxWithClone(await emptyShop());
  const taken: object[] = [];
  const earlier = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const isKnown = !('changes' in body);
    if (isKnown) taken.push(body);
    response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { resend: false } : { detail: 'Unrecognized key: "changes"' }));
  });
  earlier.listen(0, '127.0.0.1');
  onTestFinished(() => void earlier.close());
  await new Promise((listening) => earlier.once('listening', listening));
  const address = earlier.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const said: string[] = [];
  const observing = observe({
    to: `http://127.0.0.1:${port}`,
    token: undefined,
    name: 'box',
    enter: undefined,
    version: '1',
    claudePaths: [home.config],
    folderOf: () => '/nonexistent',
    say: (line) => said.push(line),
  });
  await expect.poll(() => taken).toMatchObject([{ whole: true, trees: [{ root: clone }] }]);
  await observing.stop();
  expect(said.filter((line) => line.includes('changed files'))).toHaveLength(1);
});

async function emptyShop(): Promise<string> {
  const home = await createAgentHome(() => Date.now());
  onTestFinished(() => home[Symbol.asyncDispose]());
  const shop = join(home.root, 'shop');
  gitRepository(shop, 'acme/shop');
  await mkdir(join(shop, 'src'));
  return shop;
}
