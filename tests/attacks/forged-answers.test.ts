import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneIn, nodeOf, observeAgain, register } from '../evidence-clone.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';
import { bearer, mcpWith, operatorToken } from '../tokens.ts';

async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function look({ clock }: Started): Promise<void> {
  clock.advance(120_000);
  await clock.tick();
}

const issue = { number: 12, state: 'open', html_url: 'https://github.com/acme/shop/issues/12', title: 't', labels: [] };
const pull = { ...issue, number: 13, pull_request: {} };
const forged: [what: string, answer: unknown][] = [
  ['another number', [{ ...issue, number: 99, state: 'closed', merged_at: '2026-01-01T00:00:00Z' }]],
  ['a merge that is not a time', [{ ...pull, state: 'closed', merged_at: {}, pull_request: { merged_at: true } }]],
  ['a merge of an empty list', [{ ...pull, state: 'closed', merged_at: [], pull_request: { merged_at: [] } }]],
  ['a state of its own', [{ ...pull, state: 'merged', merged_at: '2026-01-01T00:00:00Z' }]],
  ['nothing', null],
  ['a text', 'merged'],
  ['a number', 13],
  ['lists in lists', [[[{ ...pull, merged_at: '2026-01-01T00:00:00Z' }]]]],
  ['an inherited merge', [{ ...pull, state: 'closed', __proto__: { merged_at: '2026-01-01T00:00:00Z' } }]],
];

test.each(forged)('a server that answers as GitHub with %s proves nothing', async (_, answer) => {
  const GitHubUrl = await answering((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  await using service = await start({ settings: { GitHubUrl } });
  const binding = { kind: 'pullRequest', pullRequest: 'acme/shop#13' };
  await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'pull', binding }] });
  for (let turn = 0; turn < 3; turn += 1) await look(service);
  const { body } = await service.call('GET', '/api/plans/p/status');
  expect(body.nodes[0].status).not.toBe('done');
  expect(service.logged()).not.toContain('unexpected');
});

test('an address that runs a script is not kept as evidence', async () => {
  const GitHubUrl = await answering((_request, response) => {
    response.setHeader('content-type', 'application/json');
    const closed = { ...issue, state: 'closed', html_url: 'javascript:alert(1)' };
    response.end(JSON.stringify([closed]));
  });
  await using service = await start({ settings: { GitHubUrl } });
  const binding = { kind: 'issue', issue: 'acme/shop#12' };
  await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'a', binding }] });
  await look(service);
  const { body } = await service.call('GET', '/api/plans/p/status');
  expect(body.nodes[0]).toMatchObject({ status: 'done', evidence: { state: 'closed', url: null } });
});

test('a redirect takes the token nowhere else', async () => {
  const sent: unknown[] = [];
  const elsewhere = await answering((request, response) => {
    sent.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    response.end('[]');
  });
  const asked: unknown[] = [];
  const GitHubUrl = await answering((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(302, { location: `${elsewhere}${request.url}` }).end();
  });
  await using service = await start({ settings: { GitHubUrl, GitHubToken: 'ghp_a-secret-of-this-test' } });
  const binding = { kind: 'issue', issue: 'acme/shop#12' };
  await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'a', binding }] });
  await look(service);
  expect(asked[0]).toContain('ghp_');
  expect(sent.filter((header) => header !== undefined)).toEqual([]);
});

test.each([
  ['inherited versions', { versions: JSON.parse('{"__proto__":{"2.0.0":{}}}') }],
  ['a list for versions', { versions: ['2.0.0'] }],
  ['a text', '2.0.0'],
  ['nothing', null],
])('a registry that answers %s proves no package', async (_, answer) => {
  const NpmRegistryUrl = await answering((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  await using service = await start({ settings: { NpmRegistryUrl } });
  const binding = { kind: 'package', registry: 'npm', name: 'sdk', version: '^2.0.0' };
  await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'a', binding }] });
  await look(service);
  const { body } = await service.call('GET', '/api/plans/p/status');
  expect(body.nodes[0].status).not.toBe('done');
});

test('upgrade --check shows no escape sequence of another program, and tolerates any owner.json', async () => {
  const version = '9.9.9\u001b[2J\u001b]0;owned\u0007';
  const url = await answering((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ tool: 'signalbox', version }));
  });
  const { port } = new URL(url);
  const home = mkdtempSync(join(tmpdir(), 'signalbox-owner-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, '.signalbox'));
  for (const owner of ['{"pid":1,"urls":["not a url"]}', '[]', '{"pid":"x","urls":5}', '{"pid":-1}', 'null', '{"pi']) {
    writeFileSync(join(home, '.signalbox/owner.json'), owner);
    await using checked = signalbox(['upgrade', '--check'], { PORT: `${port},${port}` }, home);
    expect(await checked.ended, owner).toBe(1);
    expect(checked.out() + checked.err()).toMatch(/Restart the service: 9\.9\.9/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(checked.out() + checked.err()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|\bat .*\.js:\d/);
  }
});

test('migrate-store never prints the password of an address, nor an escape sequence in it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-migrate-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const service = await start({ home });
  await service.stop();
  for (const to of ['postgres://ada:s3cret@127.0.0.1:1/x', 'postgres://ada:s3cret@127.0.0.1:1/\u001b[2J', 's3cret@']) {
    await using moved = signalbox(['migrate-store', '--to', to], {}, home);
    expect(await moved.ended, to).not.toBe(0);
    const said = moved.out() + moved.err();
    if (to.includes('://')) expect(said).not.toContain('s3cret');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|\bat .*\.js:\d/);
  }
});

/** Answers with endless JSON, as fast as it is read. Counts the bytes that were read. */
function endless(taken: { bytes: number; ended: number }): RequestListener {
  const piece = Buffer.from(`"${'x'.repeat(1_000_000)}",`);
  return (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.write('[');
    const write = () => {
      while (!response.destroyed && response.write(piece)) taken.bytes += piece.length;
      taken.bytes += piece.length;
    };
    response.on('drain', write);
    response.on('close', () => {
      taken.ended += 1;
    });
    write();
  };
}

test('an answer of GitHub or of a registry without end is cut off, and proves nothing', async () => {
  const [gitHub, npm, nuGet] = [0, 0, 0].map(() => ({ bytes: 0, ended: 0 })) as [Taken, Taken, Taken];
  await using service = await start({
    settings: {
      GitHubUrl: await answering(endless(gitHub)),
      NpmRegistryUrl: await answering(endless(npm)),
      NuGetUrl: await answering(endless(nuGet)),
    },
  });
  const bindings = [
    { kind: 'issue', issue: 'acme/shop#12' },
    { kind: 'package', registry: 'npm', name: 'left-pad', version: '1.0.0' },
    { kind: 'package', registry: 'nuget', name: 'left-pad', version: '1.0.0' },
  ];
  const nodes = bindings.map((binding, at) => ({ id: `n${at}`, binding }));
  await service.call('POST', '/api/plans', { plan: 'p', nodes });
  await look(service);
  await expect.poll(() => [gitHub.ended, npm.ended, nuGet.ended].every((ended) => ended > 0)).toBe(true);
  for (const { bytes, ended } of [gitHub, npm, nuGet]) expect(bytes / ended).toBeLessThan(100_000_000);
  const { body } = await service.call('GET', '/api/plans/p/status');
  expect(body.nodes.map(({ status }: { status: string }) => status)).not.toContain('done');
});

type Taken = { bytes: number; ended: number };

/** A console's message to its follower that never ends. */
const endlessMessage =
  (answer: RequestListener): RequestListener =>
  (request, response) => {
    const isHub = request.url?.startsWith('/api/messages') ?? false;
    if (isHub) {
      response.setHeader('content-type', 'text/event-stream');
      response.write('data: ');
    }
    answer(request, response);
  };

test('a console at Service:PublisherUrl that answers without end is cut off, and named', async () => {
  const taken = { bytes: 0, ended: 0 };
  const PublisherUrl = await answering(endless(taken));
  await using service = await start({ settings: { PublisherUrl } });
  for (const path of ['/api/event-model', '/api/event-model/coverage', `/api/runs/r1/attachments/${'0'.repeat(64)}`]) {
    const { status, body } = await service.call('GET', path);
    expect([path, status, body.code]).toEqual([path, 503, 'host_unavailable']);
    expect(body.detail).toMatch(/^The run console at Service:PublisherUrl answered with more than (16|64) MiB/);
  }
  expect(taken.bytes / taken.ended).toBeLessThan(100_000_000);
  expect((await service.call('GET', '/api/runs')).body).toEqual([]);
  expect(service.logged()).toContain('answered with more than 64 MiB');
});

test('a console that answers with nothing but brackets does not fill the memory', async () => {
  const PublisherUrl = await answering((_request, response) => response.end('['.repeat(20_000_000)));
  await using service = await start({ settings: { PublisherUrl } });
  // A busy machine may need longer for such an answer than a console is given to begin one.
  const asked = () => service.call('GET', '/api/event-model');
  await expect
    .poll(asked)
    .toMatchObject({ status: 503, body: { detail: expect.stringMatching('answered with more than') } });
});

test('a host of the team that answers without end is cut off, and named', async () => {
  const taken = { bytes: 0, ended: 0 };
  const Store = await cloneDatabase();
  const host = (HostName: string, more: Record<string, string> = {}) =>
    start({ clock: systemClock, settings: { Store, HostName, Token: operatorToken, LicenceGate: 'off', ...more } });
  await using ada = await host('ada');
  await using bob = await host('bob', { AdvertiseUrl: await answering(endlessMessage(endless(taken))) });
  const [first = {}] = wholeRun('r1', 'Cart/total', 'CleanPass');
  await bob.console('POST', '/api/ingest', { events: [first] }, bearer(operatorToken));
  const ask = (path: string) => ada.call('GET', path, undefined, bearer(operatorToken));
  await expect.poll(async () => (await ask('/api/runs')).body.length).toBe(1);
  const hub = new AbortController();
  const followed = await fetch(`${ada.url}/api/messages?types=run_events`, {
    headers: { accept: 'text/event-stream', ...bearer(operatorToken) },
    signal: hub.signal,
  });
  expect(followed.status).toBe(200);
  const { body } = await ask(`/api/runs/r1/attachments/${'0'.repeat(64)}`);
  expect(body.detail).toMatch(/^The host bob answered with more than 16 MiB/);
  const client = await mcpWith(ada.url, operatorToken);
  const { structuredContent } = await client.callTool({ name: 'failing_tests', arguments: { runId: 'r1' } });
  await client.close();
  expect(structuredContent).toMatchObject({
    detail: expect.stringContaining('The host bob answered with more than 64 MiB'),
  });
  const audit = await ask('/api/audit?all=true');
  expect(audit.body.missing).toMatchObject([
    { host: 'bob', why: expect.stringContaining('answered with more than 64 MiB') },
  ]);
  hub.abort();
  await expect.poll(() => taken.ended).toBeGreaterThanOrEqual(3);
  expect(taken.bytes / taken.ended).toBeLessThan(100_000_000);
});

test('a commit that only looks like one of the branch proves nothing', async () => {
  await using service = await start();
  const { folder, git, write } = cloneIn(service.home);
  write('a.txt', 'a');
  git('commit', '-qm', 'Begin');
  const begin = git('rev-parse', 'HEAD');
  const tree = git('rev-parse', 'HEAD^{tree}');
  const forgedMessage = 'Begin\n\nPlan-Node: p/work';
  const dangling = git('commit-tree', tree, '-m', forgedMessage);
  // The result of reading a commit is cached, so these two must exist before the first check.
  git('replace', begin, dangling);
  write('.git/info/grafts', `${begin} ${dangling}\n`);
  const forgeries: [what: string, forge: () => unknown][] = [
    ['a commit that is shown in the place of another, or as its parent', () => undefined],
    [
      'another branch and a tag of the same name',
      () => {
        git('branch', 'work', dangling);
        git('tag', 'main', dangling);
      },
    ],
    ['a branch whose name looks like a remote one', () => git('branch', 'origin/main', dangling)],
    ['a note', () => git('notes', 'add', '-m', 'Plan-Node: p/work', begin)],
    [
      'the words within the message',
      () => git('commit', '-q', '--allow-empty', '-m', 'Plan-Node: p/work is not\n\ndone yet'),
    ],
  ];
  await register(service, folder);
  const nodes = [{ id: 'work', binding: { kind: 'commit' } }];
  await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes });
  for (const [what, forge] of forgeries) {
    forge();
    await observeAgain(service);
    expect(await nodeOf(service, 'work'), what).toMatchObject({ status: 'ready', evidence: { state: 'noCommit' } });
  }
  git('commit', '-q', '--allow-empty', '-m', 'Do it\n\nPlan-Node: p/work');
  await observeAgain(service);
  expect(await nodeOf(service, 'work')).toMatchObject({ status: 'done' });
});
