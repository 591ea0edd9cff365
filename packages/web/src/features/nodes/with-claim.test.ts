import { expect, test } from 'vitest';
import type { Claim, NodeView } from '../../live/wire.ts';
import { withClaim } from './with-claim.ts';

const viewOf = (members: object) => ({ submission: null, claim: null, ready: true, ...members }) as unknown as NodeView;
const claim = { agent: 'bob' } as unknown as Claim;

test('a claim ends the submission of a node, and a release shows what the node was before', () => {
  const submission = { agent: 'ada' };
  const submitted = viewOf({ status: 'submitted', submission, ready: false });
  expect(withClaim(submitted, claim)).toMatchObject({ status: 'claimed', claimedBy: 'bob', submission: null });
  expect(withClaim(submitted, null)).toMatchObject({ status: 'submitted', claimedBy: null, submission });
  expect(withClaim(viewOf({ status: 'claimed', claim }), null)).toMatchObject({ status: 'ready', claim: null });
  expect(withClaim(viewOf({ status: 'claimed', claim, ready: false }), null).status).toBe('blocked');
});

test.each(['done', 'running', 'failed'])('a node that is %s stays so under a claim', (status) => {
  expect(withClaim(viewOf({ status }), claim)).toMatchObject({ status, claimedBy: 'bob' });
});
