import { expect, test } from 'vitest';
import { pastPlanAfter } from '../../packages/service/src/coordination/work/past-plan.ts';
import { nodesAt } from '../../packages/web/src/features/plans/time/past-nodes.ts';
import { type Started, start } from '../start.ts';

const signOff = { binding: { kind: 'signOff' } };

/** The current nodes according to a plan's history and according to the service. */
async function bothOf({ call, clock }: Started) {
  const history = (await call('GET', '/api/plans/shop/history')).body;
  const { body } = await call('GET', '/api/plans/shop/status');
  const elsewhere = () => ({ done: false, missing: false });
  const folded = nodesAt(
    'shop',
    pastPlanAfter(history, history.length),
    new Date(clock.wall()).toISOString(),
    elsewhere,
  );
  const facts = ({
    id,
    title,
    labels,
    repository,
    status,
    ready,
    claimedBy,
    dependsOn,
    dependents,
    evidence,
  }: Facts) => ({
    ...{ id, title, labels, repository, status, ready, claimedBy },
    needs: dependsOn.map(({ ref, done }) => [ref, done]).sort(),
    users: dependents.toSorted(),
    proof: evidence?.observedAt ? evidence.state : null,
  });
  const byId = (list: readonly Facts[]) => Object.fromEntries(list.map((node) => [node.id, facts(node)]));
  return { folded: byId(folded), served: byId(body.nodes) };
}

type Facts = ReturnType<typeof nodesAt>[number];

test("the history folded in the page equals the service's, after every step of a busy plan", async () => {
  await using service = await start();
  const act = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, `/api/plans/shop${path}`, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    const { folded, served } = await bothOf(service);
    expect(folded).toEqual(served);
  };
  await service.call('POST', '/api/plans?by=ada', {
    plan: 'shop',
    repository: 'acme/shop',
    nodes: [
      { id: 'Lexer', ...signOff },
      { id: 'parser', title: 'Parser', dependsOn: ['lexer'], labels: ['core'], ...signOff },
    ],
  });
  await act('POST', '/nodes/lexer/claim', { agent: 'ada', leaseMinutes: 5 });
  await act('POST', '/nodes/lexer/report', { agent: 'ada', note: 'half done', leaseMinutes: 9 });
  await act('POST', '/nodes/lexer/sign-off?by=eve', {});
  await act('POST', '/nodes/lexer/release', { agent: 'ada' });
  await act('POST', '/nodes?by=ada', { id: 'totals', dependsOn: ['parser', 'lexer'] });
  await act('POST', '/nodes/parser/claim', { agent: 'bob', leaseMinutes: 5 });
  await act('PUT', '/nodes/totals?by=ada', { title: 'Totals', labels: ['late'], repository: 'acme/till' });
  await act('DELETE', '/nodes/totals/depends-on?dependsOn=lexer&by=ada');
  await act('POST', '/nodes/lexer/sign-off?by=eve', { revoke: true });
  service.clock.advance(6 * 60_000);
  await act('POST', '/nodes/totals/bind?by=ada', { kind: 'commit' });
  await act('POST', '/nodes/lexer/sign-off?by=eve', {});
  await act('POST', '/nodes/lexer/bind?by=ada', { kind: 'issue', issue: 'acme/shop#1' });
  await act('PUT', '?by=ada', {
    title: 'Shop',
    nodes: [
      { id: 'Lexer', ...signOff },
      { id: 'totals', dependsOn: ['lexer'] },
    ],
  });
});
