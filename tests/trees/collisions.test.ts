import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitIn, gitWorktree } from '../agents/git-repository.ts';
import { viaEvents } from '../hub/clients.ts';
import type { Started } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';
import { collisionScene, numbered } from './collision-scene.ts';

const overlapsOf = async (service: Started, query = '') =>
  (await service.call('GET', `/api/overlaps${query}`)).body.items;
const price = 'src/price.ts';
const plan = {
  slug: 'shop',
  title: 'Shop',
  repository: 'acme/shop',
  nodes: [
    { id: 'lexer', title: 'Lexer' },
    { id: 'refund', title: 'Refund' },
  ],
};

verifies(
  [
    'overlap:listed',
    'overlap:lines',
    'overlap:ends',
    'overlap:filters',
    'overlap:mcp',
    'overlap:counts',
    'overlap:need',
  ],
  'two agents that change one file are seen while they do, and no longer',
  async () => {
    const { ada, bob, open } = await collisionScene();
    await using service = await open();
    await expect.poll(async () => (await service.call('GET', '/api/changes')).body.items[0]?.trees.length).toBe(2);
    expect(await overlapsOf(service)).toEqual([]);
    await ada.write(price, numbered(40, { 3: 'three' }));
    await bob.write(price, numbered(40, { 30: 'thirty' }));
    await expect.poll(() => overlapsOf(service)).toMatchObject([{ kind: 'same_file', path: price }]);
    await bob.write(price, numbered(40, { 2: 'two' }));
    await expect
      .poll(() => overlapsOf(service))
      .toEqual([
        {
          repository: 'acme/shop',
          path: price,
          kind: 'same_lines',
          since: expect.any(String),
          trees: [ada, bob].map(({ tree, session }) => ({
            host: 'box',
            root: tree,
            branch: `worktree-${tree.split('/').at(-1)}`,
            sessions: [session.sessionId],
            claims: [],
          })),
        },
      ]);
    expect(await overlapsOf(service, '?repository=ACME/shop')).toHaveLength(1);
    expect(await overlapsOf(service, '?repository=acme/other')).toEqual([]);
    expect(await overlapsOf(service, '?ref=shop/lexer')).toEqual([]);
    const client = await newMcpClient(service.url);
    const { structuredContent } = await client.callTool({ name: 'list_overlaps', arguments: {} });
    expect(structuredContent).toMatchObject({ items: [{ path: price, kind: 'same_lines' }] });
    await client.close();
    const { body: board } = await service.call('GET', '/api/agents');
    expect(board.sessions.map((one: { overlaps: number }) => one.overlaps)).toEqual([1, 1]);
    expect(board.trees.map((one: object) => one)).toMatchObject([
      { changes: 1, changesTruncated: false, overlaps: 1 },
      { changes: 1, changesTruncated: false, overlaps: 1 },
    ]);
    const { body: needs } = await service.call('GET', '/api/needs');
    expect(needs.needs).toMatchObject([
      { kind: 'lines_overlap', detail: `worktree-ada and worktree-bob change the same lines of ${price}.` },
    ]);
    gitIn(bob.tree)('checkout', '-q', '--', price);
    await expect.poll(() => overlapsOf(service)).toEqual([]);
  },
);

verifies(
  ['overlap:told-claim', 'overlap:told-report', 'overlap:hook', 'overlap:hub'],
  'agents hear of a collision with the next thing they say, and before the next edit of that file',
  async () => {
    const { ada, bob, open } = await collisionScene();
    await using service = await open();
    await service.call('POST', '/api/plans', plan);
    const node = (id: string) => `/api/plans/shop/nodes/${id}`;
    const claim = (id: string, agent: string, session: string) =>
      service.call('POST', `${node(id)}/claim`, { agent, session });
    expect((await claim('refund', 'bob', bob.session.sessionId)).body).not.toHaveProperty('overlaps');
    await using heard = await viaEvents(service, '?types=overlap_changed');
    for (let file = 0; file < 6; file++) {
      await ada.write(`src/new${file}.ts`, 'a\n');
      await bob.write(`src/new${file}.ts`, 'b\n');
    }
    await bob.write(price, numbered(40, { 30: 'thirty' }));
    await expect.poll(() => overlapsOf(service)).toHaveLength(6);
    expect((await claim('lexer', 'ada', ada.session.sessionId)).body).toMatchObject({
      claimed: true,
      overlaps: Array.from({ length: 5 }, (_, file) => ({
        path: `src/new${file}.ts`,
        kind: 'same_lines',
        with: 'shop/refund',
      })),
      overlapsTotal: 6,
    });
    expect(
      (await service.call('POST', `${node('refund')}/report`, { agent: 'bob', session: bob.session.sessionId })).body,
    ).toMatchObject({ reported: true, overlaps: [{ with: 'shop/lexer' }, {}, {}, {}, {}], overlapsTotal: 6 });
    expect((await service.call('GET', node('lexer'))).body).toMatchObject({ overlaps: 6 });
    expect(await overlapsOf(service, '?ref=shop/lexer')).toHaveLength(6);
    await heard.untilOne(({ data }) => data.repository === 'acme/shop' && data.paths.includes('src/new5.ts'));

    // So far only bob has changed this file.
    const edit = {
      session_id: ada.session.sessionId,
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: join(ada.tree, price), old_string: 'a', new_string: 'b' },
    };
    const hook = () => service.call('POST', '/api/agents/hooks', edit);
    await expect.poll(async () => (await overlapsOf(service)).length).toBe(6);
    const answer = await hook();
    expect([answer.status, answer.body.hookSpecificOutput]).toEqual([
      200,
      { hookEventName: 'PreToolUse', additionalContext: expect.stringContaining(`shop/refund also changes ${price}.`) },
    ]);
    expect((await hook()).status).toBe(204);
  },
);

verifies('overlap:case', 'where file names ignore case, two spellings are one file', async () => {
  const { ada, bob, git, open } = await collisionScene();
  git('config', 'core.ignorecase', 'true');
  for (const folder of [join(ada.tree, 'Lib'), join(bob.tree, 'lib'), join(ada.tree, 'Src')]) await mkdir(folder);
  await ada.write('Lib/New.ts', 'a\n');
  await bob.write('lib/new.ts', 'b\n');
  // Only ada renames this file, which changes both spellings.
  gitIn(ada.tree)('mv', 'src/price.ts', 'Src/Price.ts');
  await using service = await open();
  const filesOf = async (tree: string): Promise<string[]> => {
    const trees = (await service.call('GET', '/api/changes')).body.items[0]?.trees ?? [];
    const { files = [] } = trees.find(({ root }: { root: string }) => root === tree) ?? {};
    return files.map(({ path }: { path: string }) => path).sort();
  };
  await expect.poll(() => filesOf(ada.tree)).toEqual(['Lib/New.ts', 'Src/Price.ts', 'src/price.ts']);
  await expect
    .poll(() => overlapsOf(service))
    .toMatchObject([{ kind: 'same_lines', path: 'Lib/New.ts', trees: [{ root: ada.tree }, { root: bob.tree }] }]);
  const edit = {
    session_id: bob.session.sessionId,
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: join(bob.tree, 'lib/new.ts'), old_string: 'b', new_string: 'c' },
  };
  expect((await service.call('POST', '/api/agents/hooks', edit)).text).toContain(
    'also changes lib/new.ts, on the same lines as you',
  );
  await bob.write(price, numbered(40, { 3: 'three' }));
  await expect
    .poll(() => overlapsOf(service))
    .toMatchObject([{ path: 'Lib/New.ts' }, { path: 'Src/Price.ts', trees: [{ root: ada.tree }, { root: bob.tree }] }]);
});

verifies('overlap:behind', 'a tree whose file the default branch has changed since is behind', async () => {
  const { ada, shop, git, open } = await collisionScene();
  await using service = await open();
  await ada.write(price, numbered(40, { 3: 'three' }));
  await expect
    .poll(async () => (await service.call('GET', '/api/changes')).body.items[0]?.trees[0]?.files.length)
    .toBe(1);
  await writeFile(join(shop, price), numbered(40, { 38: 'late' }));
  git('commit', '-q', '-a', '-m', 'Late');
  await expect
    .poll(() => overlapsOf(service))
    .toMatchObject([{ kind: 'behind', path: price, trees: [{ root: ada.tree }] }]);
});

verifies('overlap:truncated', 'a tree with too many changed paths is marked as truncated', async () => {
  const { ada, open } = await collisionScene();
  for (let file = 0; file < 5_100; file++) await ada.write(`src/many${file}.ts`, '');
  await using service = await open();
  const tree = async () =>
    (await service.call('GET', '/api/agents')).body.trees.find(({ root }: { root: string }) => root === ada.tree);
  await expect.poll(tree).toMatchObject({ changes: 5_000, changesTruncated: true });
});

test('the lists of working trees keep their order while their sessions come, work and rest', async () => {
  const { ada, bob, shop, agentIn, open } = await collisionScene();
  await using service = await open();
  const names = (trees: { root: string }[]) => trees.map(({ root }) => root.split('/').at(-1));
  const lists = async () => [
    names((await service.call('GET', '/api/agents')).body.trees),
    names((await service.call('GET', '/api/changes')).body.items[0]?.trees ?? []),
  ];
  await bob.write(price, numbered(40, { 2: 'two' }));
  await expect.poll(lists).toEqual(Array(2).fill(['ada', 'bob']));
  await agentIn(3, gitWorktree(shop, 'aaa'));
  await expect.poll(lists).toEqual(Array(2).fill(['aaa', 'ada', 'bob']));
  await bob.session.reportStatus('idle');
  await ada.write(price, numbered(40, { 3: 'three' }));
  await expect.poll(async () => (await overlapsOf(service)).length).toBe(1);
  expect(await lists()).toEqual(Array(2).fill(['aaa', 'ada', 'bob']));
});
