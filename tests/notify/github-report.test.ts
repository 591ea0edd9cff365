import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { wholeRun } from '../hosts/whole-run.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

type Write = { method: string; path: string; token: string; body: Record<string, string> };

/** The part of GitHub's API that the service writes to, and one pull request that can be merged. */
async function openGitHub() {
  const writes: Write[] = [];
  const comments: { id: number; body: string }[] = [{ id: 7, body: 'Looks good to me.' }];
  let pull: object = { number: 12, state: 'open' };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (method === 'GET')
        return answer(200, /\/comments\?/.test(path) ? comments : /\/issues\?/.test(path) ? [pull] : pull);
      const body = JSON.parse(text);
      writes.push({ method, path, token: String(headers.authorization), body });
      if (method === 'PATCH') Object.assign(comments.find(({ id }) => path.endsWith(`/${id}`)) ?? {}, body);
      else if (path.endsWith('/comments')) comments.push({ id: comments.length + 7, body: body.body });
      answer(method === 'PATCH' ? 200 : 201, {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    comments,
    set(change: object) {
      const merged = 'merged_at' in change ? { pull_request: change } : { pull_request: {} };
      pull = { number: 12, html_url: 'https://github.com/acme/shop/pull/12', ...merged, ...change };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const commit = 'a'.repeat(40);
const publish = (service: Started, runId: string, outcome: string, more: object = {}) =>
  service.console('POST', '/api/ingest', {
    events: wholeRun(runId, 'Cart/total', outcome, {
      repositoryId: 'github.com/acme/shop',
      commit,
      dirty: false,
      ...more,
    }),
  });

async function later({ clock }: Started): Promise<void> {
  clock.advance(61_000);
  await clock.tick();
}

verifies(
  'config:github-report',
  'a run that names its commit sets its status, green or not, with the writing token',
  async () => {
    await using gitHub = await openGitHub();
    const settings = {
      GitHubUrl: gitHub.url,
      GitHubReport: 'statuses',
      GitHubReportToken: 'may-write',
      GitHubToken: 'reads',
    };
    await using service = await start({ settings });
    await publish(service, 'r1', 'Failed');
    await later(service);
    await publish(service, 'r2', 'CleanPass', { repositoryId: 'github.com/acme/shop#packages/cart' });
    await publish(service, 'r3', 'CleanPass', { dirty: true });
    await publish(service, 'r4', 'CleanPass', { commit: 'main' });
    await publish(service, 'r5', 'CleanPass', { repositoryId: 'github.com/../orgs' });
    const states = async () => {
      await later(service);
      return gitHub.writes.map(({ method, path, token, body }) => [method, path, token, body.state, body.context]);
    };
    const path = `/repos/acme/shop/statuses/${commit}`;
    await expect.poll(states).toEqual([
      ['POST', path, 'bearer may-write', 'failure', 'signalbox/unit'],
      ['POST', path, 'bearer may-write', 'success', 'signalbox/unit'],
    ]);
  },
);

test('the pull request of a node has one comment, edited when the proof turns, and mentions nobody', async () => {
  await using gitHub = await openGitHub();
  gitHub.set({ state: 'open' });
  const settings = { GitHubUrl: gitHub.url, GitHubReport: 'all', GitHubReportToken: 'may-write' };
  await using service = await start({ settings });
  const binding = { kind: 'pullRequest', pullRequest: 'acme/shop#12' };
  const nodes = [{ id: 'cart', title: 'Cart `@everyone`', binding }];
  await service.call('POST', '/api/plans', { plan: 'rel', nodes });
  await service.call('POST', '/api/plans/rel/nodes/cart/claim', { agent: 'ada' });
  await service.call('POST', '/api/plans/rel/nodes/cart/release', { agent: 'ada', outcome: 'submitted' });
  const own = async () => {
    await later(service);
    return gitHub.comments.filter(({ body }) => body.includes('signalbox')).map(({ body }) => body.split('\n')[1]);
  };
  await expect.poll(own).toEqual(['**rel/cart** was submitted and awaits its proof: `Cart  @everyone `']);
  gitHub.set({ state: 'closed', merged_at: '2026-01-01T09:00:00Z' });
  await expect.poll(own).toEqual(['**rel/cart** is done: `Cart  @everyone `']);
  expect(gitHub.writes.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  expect(gitHub.comments[0]?.body).toBe('Looks good to me.');
});

test('nothing is written unless it is asked for, and asking without a token that may write ends the start', async () => {
  await using gitHub = await openGitHub();
  await using service = await start({ settings: { GitHubUrl: gitHub.url, GitHubToken: 'reads' } });
  await publish(service, 'r1', 'Failed');
  await later(service);
  await later(service);
  expect(gitHub.writes).toEqual([]);
  await expect(start({ settings: { GitHubReport: 'all' } })).rejects.toThrow(/GitHubReportToken/);
});
