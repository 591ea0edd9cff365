import { expect } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import type { Door } from '../coordination/call-through.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { startClosed } from '../tokens.ts';
import { verifies } from '../verifies.ts';

const transports = ['rest', 'mcp', 'socket'] as const;
const suite = { kind: 'suite' };
const document = {
  plan: 'shop',
  nodes: [
    { id: 'lexer', binding: suite },
    { id: 'parser', binding: suite, dependsOn: ['lexer'] },
    { id: 'review', binding: { kind: 'signOff' } },
    { id: 'idea' },
  ],
};
const at = (node: string, agent = 'ada') => ({ plan: 'shop', node, agent });
const nine = Date.UTC(2026, 0, 1, 9);
const iso = (time: number) => new Date(time).toISOString();
const minutes = (many: number) => many * 60_000;

async function work(door: Door) {
  const staged = await startWithTransport(door, {
    clock: createSettableClock(nine),
    settings: { OrphanSeconds: '100000', SubmittedHours: '3' },
  });
  const { call, service, clock } = staged;
  await call('create_plan', { document });
  return {
    ...staged,
    node: (id: string) => call('node_status', { plan: 'shop', node: id }),
    async handIn(id: string, more: object = {}) {
      await call('claim_node', at(id));
      return call('release_node', { ...at(id), outcome: 'submitted', ...more });
    },
    async publish(runId: string, id: string, passed: boolean) {
      const tag = `shop/${id}`;
      const verdict = { uid: 'a', outcome: passed ? 'CleanPass' : 'Failed', attempts: 1, durationMs: 5 };
      const counts = { passed: passed ? 1 : 0, failed: passed ? 0 : 1, passedOnRetry: 0, indeterminate: 0 };
      await service.console('POST', '/api/ingest', {
        events: [
          { type: 'run_started', runId, suite: 'unit', mode: 'in-process', tag, startedAt: iso(clock.wall()) },
          { type: 'scenario_finished', runId, ...verdict, at: iso(clock.wall()) },
          { type: 'run_finished', runId, ...counts, exitCode: passed ? 0 : 1, finishedAt: iso(clock.wall()) },
        ],
      });
    },
    /** Lets the observers and the sweeps run once. */
    async look() {
      clock.advance(minutes(1));
      await clock.tick();
    },
    /** How submissions ended, in the order of the history. */
    async ends(): Promise<string[]> {
      const entries: { type: string; data: { how: string } }[] = await call('plan_history', { plan: 'shop' });
      return entries.flatMap(({ type, data }) => (type === 'submission_ended' ? [data.how] : []));
    },
    [Symbol.asyncDispose]: () => staged[Symbol.asyncDispose](),
  };
}

verifies.each(transports)(
  [
    'submit:status',
    'submit:view',
    'submit:not-ready',
    'submit:note-kept',
    'submit:history',
    'submit:dependents-wait',
    'submit:counted',
  ],
  'a submitted node is in no ready list and never handed out, and its dependents say who submitted it',
  async (door) => {
    await using on = await work(door);
    await on.call('claim_node', { ...at('lexer'), session: 's1' });
    await on.call('report_node', { ...at('lexer'), note: 'pushed' });
    const answer = await on.call('release_node', { ...at('lexer'), outcome: 'submitted' });
    expect(answer).toMatchObject({ released: true, node: { status: 'submitted', ready: false, claimedBy: null } });
    const submission = { agent: 'ada', session: 's1', at: iso(nine), note: 'pushed', until: iso(nine + minutes(180)) };
    expect(await on.node('lexer')).toMatchObject({ submission, lastClaim: { note: 'pushed' } });
    const status = await on.call('plan_status', { plan: 'shop' });
    expect(status.counts).toMatchObject({ submitted: 1, blocked: 1, ready: 2 });
    expect(status.ready).toEqual(['idea', 'review']);
    const ready: { id: string }[] = await on.call('next_ready_nodes', { plan: 'shop' });
    expect(ready.map(({ id }) => id)).toEqual(['idea', 'review']);
    expect(await on.call('claim_next', { agent: 'bob' })).toMatchObject({ claimed: true, node: { id: 'review' } });
    expect(await on.call('claim_next', { agent: 'bob' })).toMatchObject({ claimed: false });
    on.clock.advance(minutes(12));
    expect((await on.node('lexer')).why).toContain('Submitted by ada 12 min ago.');
    expect((await on.node('parser')).why).toContain('Waits for shop/lexer, submitted by ada 12 min ago.');
    const history: { type: string }[] = await on.call('plan_history', { plan: 'shop', only: 'claims' });
    expect(history.map(({ type }) => type)).toContain('node_submitted');
  },
);

verifies.each(transports)(
  ['submit:proven', 'submit:contradicted', 'submit:earlier-evidence'],
  'evidence from before does not count while it stands; a green run proves it, a red one ends the submission',
  async (door) => {
    await using on = await work(door);
    await on.publish('before', 'lexer', false);
    await on.look();
    expect((await on.node('lexer')).status).toBe('failed');
    expect((await on.handIn('lexer')).node).toMatchObject({ status: 'submitted', ready: false });
    await on.look();
    expect((await on.node('lexer')).status).toBe('submitted');
    await on.publish('red', 'lexer', false);
    await on.look();
    const failed = await on.node('lexer');
    expect(failed).toMatchObject({ status: 'failed', ready: true, submission: null });
    expect(failed.why).toContain('did not pass');
    await on.handIn('lexer');
    await on.publish('green', 'lexer', true);
    await on.look();
    expect(await on.node('lexer')).toMatchObject({ status: 'done', submission: null });
    await on.look();
    expect(await on.ends()).toEqual(['contradicted', 'proven']);
  },
);

verifies.each(transports)(
  ['submit:taken-up', 'submit:withdrawn', 'submit:overdue', 'submit:never-by-time'],
  'it ends when it is taken up, withdrawn or, where a machine observes, overdue; a person is waited for',
  async (door) => {
    await using on = await work(door);
    await on.handIn('lexer', { note: 'all there' });
    const taken = await on.call('claim_node', at('lexer', 'bob'));
    expect(taken).toMatchObject({ claimed: true, node: { lastClaim: { note: 'all there' } } });
    expect(taken.readyWarning.message).toContain('ada submitted it just now; it awaits a passed run');
    await on.call('release_node', { ...at('lexer', 'bob'), outcome: 'submitted' });
    expect(await on.call('withdraw_submission', at('lexer', 'bob'))).toMatchObject({
      withdrawn: true,
      node: { status: 'ready', ready: true },
    });
    expect(await on.call('withdraw_submission', at('lexer', 'bob'))).toMatchObject({ withdrawn: false });
    await on.handIn('lexer', { note: 'again' });
    await on.handIn('review');
    expect(await on.node('review')).toMatchObject({ submission: { until: null } });
    on.clock.advance(minutes(181));
    // Only the clock shows it: nothing has been written yet.
    expect(await on.node('lexer')).toMatchObject({ status: 'ready', submission: null, lastClaim: { note: 'again' } });
    expect(await on.node('review')).toMatchObject({ status: 'submitted' });
    await on.look();
    expect(await on.ends()).toEqual(['taken_up', 'withdrawn', 'overdue']);
  },
);

verifies.each(transports)(
  ['submit:refused-sign-off', 'submit:needs'],
  'a person who refuses ends the submission with a reason; what a person or nobody can prove is a need from the beginning',
  async (door) => {
    await using on = await work(door);
    await on.handIn('review');
    await on.handIn('idea');
    await on.handIn('lexer');
    const { needs } = (await on.service.call('GET', '/api/needs')).body;
    const details = needs.map(({ kind, ref, detail }: Record<string, string>) => [kind, ref, detail]);
    expect(details).toEqual([
      [
        'node_submitted',
        'shop/idea',
        'Submitted by ada just now, but it has no binding, so nothing can prove it. Bind it.',
      ],
      ['node_submitted', 'shop/review', 'Submitted by ada just now; nobody has signed off yet.'],
    ]);
    const refused = await on.call('sign_off_node', {
      plan: 'shop',
      node: 'review',
      by: 'eve',
      refuse: true,
      note: 'too slow',
    });
    expect(refused).toMatchObject({ status: 'ready', ready: true, submission: null });
    expect(refused.why).toContain('Refused by eve: too slow.');
    await on.look();
    expect(await on.ends()).toEqual(['contradicted']);
    await on.handIn('review');
    expect(await on.call('sign_off_node', { plan: 'shop', node: 'review', by: 'eve' })).toMatchObject({
      status: 'done',
    });
  },
);

verifies.each(transports)(
  ['release:failed'],
  'a release as failed keeps the note, says why in lastClaim.error, and leaves the node ready',
  async (door) => {
    await using on = await work(door);
    await on.call('claim_node', at('lexer'));
    await on.call('report_node', { ...at('lexer'), note: 'got as far as X' });
    const why = door === 'mcp' ? {} : { error: 'boom' };
    await on.call('release_node', { ...at('lexer'), outcome: 'failed', ...why });
    expect(await on.node('lexer')).toMatchObject({ status: 'ready', lastClaim: { note: 'got as far as X', ...why } });
  },
);

verifies(
  'submit:withdrawn',
  'only the agent that submitted it, or a token with the author scope, may withdraw it',
  async () => {
    await using service = await startClosed();
    const [ada, bob, eve] = [
      await service.named('ada', ['work']),
      await service.named('bob', ['work']),
      await service.named('eve', ['author']),
    ];
    const path = '/api/plans/shop/nodes/lexer';
    await eve.call('POST', '/api/plans', document);
    const handIn = async () => {
      await ada.call('POST', `${path}/claim`, { agent: 'ada' });
      await ada.call('POST', `${path}/release`, { agent: 'ada', outcome: 'submitted' });
    };
    await handIn();
    const denied = await bob.call('POST', `${path}/withdraw`, { agent: 'bob' });
    expect([denied.status, denied.body.code]).toEqual([403, 'scope_required']);
    expect((await eve.call('POST', `${path}/withdraw?by=eve`, {})).body).toMatchObject({ withdrawn: true });
    await handIn();
    expect((await ada.call('POST', `${path}/withdraw`, { agent: 'ada' })).body).toMatchObject({ withdrawn: true });
  },
);
