import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { startGitHub } from '../github-server.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

async function startBoth(settings: Record<string, string> = {}) {
  const clock = createSettableClock();
  const gitHub = await startGitHub(clock);
  const service = await start({ clock, settings: { GitHubUrl: gitHub.url, ...settings } });
  return {
    gitHub,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await gitHub[Symbol.asyncDispose]();
    },
  };
}

const plan = {
  plan: 'p',
  nodes: [
    { id: 'issue', binding: { kind: 'issue', issue: 'acme/shop#12' } },
    { id: 'after', dependsOn: ['issue'] },
    { id: 'pull', binding: { kind: 'pullRequest', pullRequest: 'acme/shop#13' } },
  ],
};

async function look({ clock }: Started): Promise<void> {
  clock.advance(60_000);
  await clock.tick();
}

type Node = {
  id: string;
  status: string;
  why: string;
  evidence: { state: string; detail: string; url: string | null; provenance: string; observedAt: string | null } | null;
};

async function nodesOf({ call }: Started): Promise<Record<string, Node>> {
  const { body } = await call('GET', '/api/plans/p/status');
  return Object.fromEntries((body.nodes as Node[]).map((node) => [node.id, node]));
}

verifies(
  [
    'binding:issue-done-when-closed',
    'evidence:turns',
    'evidence:provenance',
    'evidence:nothing-yet',
    'config:github-url',
    'config:observe-seconds',
  ],
  'an issue that is closed and reopened moves its node ready, done, ready and the dependent blocked, ready, blocked',
  async () => {
    await using both = await startBoth();
    const { service, gitHub } = both;
    gitHub.set(12, { state: 'open' });
    gitHub.set(13, { state: 'open', pull: true });
    await service.call('POST', '/api/plans', plan);
    const states = async () => {
      const { issue, after } = await nodesOf(service);
      return [issue?.status, after?.status, issue?.evidence?.state];
    };
    expect(await states()).toEqual(['ready', 'blocked', 'notObserved']);
    await look(service);
    expect(await states()).toEqual(['ready', 'blocked', 'open']);
    gitHub.set(12, { state: 'closed' });
    await look(service);
    expect(await states()).toEqual(['done', 'ready', 'closed']);
    expect((await nodesOf(service)).issue?.evidence).toMatchObject({
      provenance: 'observed',
      url: expect.stringContaining('/12'),
    });
    gitHub.set(12, { state: 'open' });
    await look(service);
    expect(await states()).toEqual(['ready', 'blocked', 'open']);
    const { body } = await service.call('GET', '/api/plans/p/history?only=evidence');
    expect(
      body.map(({ by, data }: { by: string; data: { id: string; to: string } }) => [by, data.id, data.to]),
    ).toEqual([
      ['observer:issue', 'issue', 'open'],
      ['observer:pullRequest', 'pull', 'open'],
      ['observer:issue', 'issue', 'closed'],
      ['observer:issue', 'issue', 'open'],
    ]);
  },
);

test('why names the possible proof of a node, evidence has the time of the last observation, and a failed observation does not count', async () => {
  await using both = await startBoth();
  const { service, gitHub } = both;
  gitHub.set(12, { state: 'open' });
  await service.call('POST', '/api/plans', plan);
  expect((await nodesOf(service)).issue?.why).toBe(
    'Ready; 1 open node waits for it. Proof: issue acme/shop#12 closed. Not observed yet.',
  );
  await look(service);
  const at = new Date(service.clock.wall()).toISOString();
  const { issue } = await nodesOf(service);
  expect(issue?.why).toBe(`Ready; 1 open node waits for it. Proof: issue acme/shop#12 closed. Issue #12 is open.`);
  expect(issue?.evidence?.observedAt).toBe(at);

  await look(service);
  const later = new Date(service.clock.wall()).toISOString();
  expect((await nodesOf(service)).issue?.evidence?.observedAt).toBe(later);
  gitHub.feel('broken');
  await look(service);
  expect((await nodesOf(service)).issue).toMatchObject({
    why: expect.stringContaining('GitHub answered 502.'),
    evidence: { state: 'open', observedAt: later },
  });
  const { body } = await service.call('GET', '/api/plans/p/history?only=evidence');
  const ofIssue = body.filter(({ data }: { data: { id: string } }) => data.id === 'issue');
  expect(ofIssue.map(({ data }: { data: { detail: string } }) => data.detail)).toEqual([
    'issue #12 is open',
    'GitHub answered 502',
  ]);
});

verifies(
  ['binding:pull-request-done-when-merged', 'binding:pull-request-failed-when-closed'],
  'a pull request proves its node by its merge and fails it by its end without one',
  async () => {
    await using both = await startBoth();
    const { service, gitHub } = both;
    gitHub.set(12, { state: 'open' });
    gitHub.set(13, { state: 'closed', pull: true });
    await service.call('POST', '/api/plans', plan);
    await look(service);
    expect((await nodesOf(service)).pull).toMatchObject({ status: 'failed', evidence: { state: 'closedUnmerged' } });
    gitHub.set(13, { state: 'closed', pull: true, merged: true });
    await look(service);
    expect((await nodesOf(service)).pull).toMatchObject({ status: 'done', evidence: { state: 'merged' } });
  },
);

verifies(
  ['evidence:error-keeps', 'evidence:rate-limit-keeps', 'evidence:later-404-keeps', 'evidence:lost-sight-is-told'],
  'whatever goes wrong leaves the last evidence standing and says so, a rate limit until when',
  async () => {
    await using both = await startBoth();
    const { service, gitHub } = both;
    gitHub.set(12, { state: 'closed' });
    gitHub.set(13, { state: 'open', pull: true });
    await service.call('POST', '/api/plans', plan);
    await look(service);
    for (const [mood, says] of [
      ['broken', '502'],
      ['half-closed', 'GitHub'],
      ['gone', 'is kept'],
    ] as const) {
      gitHub.feel(mood);
      await look(service);
      const { issue, pull } = await nodesOf(service);
      expect.soft([issue?.status, issue?.evidence?.state, pull?.status], mood).toEqual(['done', 'closed', 'ready']);
      expect.soft(issue?.evidence?.detail, mood).toContain(says);
      expect.soft(issue?.why, mood).toContain(says);
    }
    for (const mood of ['limited', 'later'] as const) {
      gitHub.feel(mood);
      await look(service);
      const until = new Date(Math.floor(service.clock.wall() / 1000) * 1000 + 600_000).toISOString();
      expect((await nodesOf(service)).pull?.why, mood).toContain(`until ${until}`);
      const { asked } = gitHub.counts;
      gitHub.feel('well');
      await look(service);
      expect(gitHub.counts.asked).toBe(asked);
      service.clock.advance(600_000);
      await look(service);
    }
    expect((await nodesOf(service)).issue?.evidence?.detail).toBe('issue #12 is closed');
  },
);

verifies(
  'evidence:missing-when-never-seen',
  'an issue that was never there is missing, and nothing is marked done by an error',
  async () => {
    await using both = await startBoth();
    await both.service.call('POST', '/api/plans', plan);
    await look(both.service);
    expect((await nodesOf(both.service)).issue).toMatchObject({ status: 'ready', evidence: { state: 'missing' } });
  },
);

test('what changed on a page that could not be read is read with the next look', async () => {
  await using both = await startBoth();
  const { service, gitHub } = both;
  const numbers = Array.from({ length: 150 }, (_, index) => index + 1);
  const nodes = numbers.map((number) => ({
    id: `n${number}`,
    binding: { kind: 'issue', issue: `acme/shop#${number}` },
  }));
  for (const number of numbers) gitHub.set(number, { state: 'open' });
  await service.call('POST', '/api/plans', { plan: 'p', nodes });
  const done = async () => Object.values(await nodesOf(service)).filter(({ status }) => status === 'done').length;
  await look(service);
  for (const number of numbers) gitHub.set(number, { state: 'closed' });
  gitHub.feel('first page');
  await look(service);
  expect(await done()).toBe(0);
  gitHub.feel('well');
  await look(service);
  expect(await done()).toBe(150);
});

test('an issue bound as a pull request is missing, whether it is asked for alone or read off the list', async () => {
  for (const count of [1, 5]) {
    await using both = await startBoth();
    const { service, gitHub } = both;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    for (const number of numbers) gitHub.set(number, { state: 'closed' });
    const nodes = numbers.map((number) => ({
      id: `n${number}`,
      binding: { kind: 'pullRequest', pullRequest: `acme/shop#${number}` },
    }));
    await service.call('POST', '/api/plans', { plan: 'p', nodes });
    await look(service);
    for (const { evidence } of Object.values(await nodesOf(service))) expect(evidence?.state).toBe('missing');
  }
});

verifies(
  ['reads:from-memory', 'reads:never-write'],
  '500 bound nodes cost five requests at first and one that is free afterwards; a read costs none',
  async () => {
    await using both = await startBoth();
    const { service, gitHub } = both;
    const nodes = Array.from({ length: 500 }, (_, index) => ({
      id: `n${index}`,
      binding: { kind: 'issue', issue: `acme/shop#${index + 1}` },
    }));
    for (let number = 1; number <= 500; number += 1) gitHub.set(number, { state: number % 2 ? 'open' : 'closed' });
    await service.call('POST', '/api/plans', { plan: 'p', nodes });
    await look(service);
    expect(gitHub.counts).toEqual({ asked: 5, unchanged: 0 });
    expect((await service.call('GET', '/api/plans/p/status')).body.counts.done).toBe(250);
    await look(service);
    await look(service);
    await look(service);
    expect(gitHub.counts.asked).toBe(8);
    expect(gitHub.counts.unchanged).toBeGreaterThanOrEqual(1);
  },
);

verifies(
  [
    'licence:hooks-never-gated',
    'webhook:signed-204',
    'webhook:accelerator-only',
    'webhook:bad-signature-401',
    'webhook:without-secret-404',
  ],
  'a signed webhook makes it look at once; another signature, or no secret, does nothing',
  async () => {
    await using both = await startBoth({
      GitHubWebhookSecret: 'hush',
      Token: 'a-secret-of-this-test',
      Licence: 'none',
      LicenceGate: 'record',
    });
    const { service, gitHub } = both;
    const body = JSON.stringify({ action: 'closed' });
    const sign = (secret: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
    const wrong = await service.call('POST', '/api/observations/github', body, sign('guess'));
    expect([wrong.status, wrong.body.code]).toEqual([401, 'signature_invalid']);
    expect((await service.call('POST', '/api/observations/github', body, sign('hush'))).status).toBe(204);
    await using open = await startBoth();
    expect((await open.service.call('POST', '/api/observations/github', body, sign('hush'))).status).toBe(404);
    expect(gitHub.counts.asked).toBe(0);
  },
);

verifies('proof:github-time', 'a host whose clock is an hour ahead, or behind, sees every issue close', async () => {
  for (const skewMs of [3_600_000, -3_600_000]) {
    const here = createSettableClock();
    await using gitHub = await startGitHub({ wall: () => here.wall() - skewMs });
    const numbers = [1, 2, 3, 4, 5];
    for (const number of numbers) gitHub.set(number, { state: 'open' });
    await using service = await start({ clock: here, settings: { GitHubUrl: gitHub.url } });
    const nodes = numbers.map((number) => ({
      id: `n${number}`,
      binding: { kind: 'issue', issue: `acme/shop#${number}` },
    }));
    await service.call('POST', '/api/plans', { plan: 'p', nodes });
    await look(service);
    for (const number of numbers) {
      gitHub.set(number, { state: 'closed' });
      await look(service);
      expect([skewMs, number, (await nodesOf(service))[`n${number}`]?.status]).toEqual([skewMs, number, 'done']);
    }
  }
});
