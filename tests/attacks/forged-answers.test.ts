import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';

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

test('upgrade --check shows no escape sequence of another program, and reads whatever owner.json holds', async () => {
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
