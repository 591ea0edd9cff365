/** Find ready work, claim it, lose it to another, report, submit and release, in the code of each generated client. */
export const openApiFetchLoop = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const claimed = (claim: components['schemas']['Claim'] | null): string => claim?.agent ?? 'nobody';
const at = { path: { plan: 'fetch', node: 'a' } };
await client.POST('/api/plans', { body: { plan: 'fetch', nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] } });
const { data: ready } = await client.GET('/api/plans/ready', { params: { query: { plan: 'fetch' } } });
if (ready?.map(({ id }) => id).join() !== 'a') throw new Error('a is not the only ready node');
const { data: claim } = await client.POST('/api/plans/{plan}/nodes/{node}/claim', {
  params: { ...at, header: { 'Idempotency-Key': 'once' } },
  body: { agent: 'ada' },
});
if (!claim) throw new Error('not claimed');
const lost = await client.POST('/api/plans/{plan}/nodes/{node}/claim', { params: at, body: { agent: 'bob' } });
if (lost.response.status !== 409) throw new Error('claimed twice');
const fence: number = claim.fence;
await client.POST('/api/plans/{plan}/nodes/{node}/report', { params: at, body: { agent: 'ada', note: 'half', fence } });
const { data: node } = await client.GET('/api/plans/{plan}/nodes/{node}', { params: at });
if (claimed(node?.claim ?? null) !== 'ada') throw new Error('not held');
const { data: released } = await client.POST('/api/plans/{plan}/nodes/{node}/release', {
  params: at,
  body: { agent: 'ada', outcome: 'submitted' },
});
if (!released?.released) throw new Error('not released');
console.log('done');
`;

export const heyApiLoop = `
import { client } from './hey/client.gen';
import { claimNode, createPlan, nextReadyNodes, nodeStatus, releaseNode, reportNode } from './hey/sdk.gen';
import type { Node } from './hey/types.gen';

async function main() {
  client.setConfig({ baseUrl: process.argv[2] ?? '' });
  const path = { plan: 'hey', node: 'a' };
  await createPlan({ body: { plan: 'hey', nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] } });
  const { data: ready } = await nextReadyNodes({ query: { plan: 'hey' } });
  if (ready?.map(({ id }) => id).join() !== 'a') throw new Error('a is not the only ready node');
  const { data: claim } = await claimNode({ path, body: { agent: 'ada' } });
  if (!claim) throw new Error('not claimed');
  const lost = await claimNode({ path, body: { agent: 'bob' } });
  if (lost.response?.status !== 409) throw new Error('claimed twice');
  await reportNode({ path, body: { agent: 'ada', note: 'half', fence: claim.fence } });
  const { data: released } = await releaseNode({ path, body: { agent: 'ada', outcome: 'submitted' } });
  if (!released?.released) throw new Error('not released');
  const node: Node | undefined = (await nodeStatus({ path })).data;
  if (node?.status !== 'submitted') throw new Error('not submitted');
  console.log('done');
}
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
`;

export const pythonLoop = `
import sys
import signalbox_api
from signalbox_api.rest import ApiException

configuration = signalbox_api.Configuration(host=sys.argv[1])
configuration.access_token = None
client = signalbox_api.ApiClient(configuration)
plans = signalbox_api.PlansApi(client)
work = signalbox_api.WorkApi(client)
plans.create_plan({"plan": "python", "nodes": [{"id": "a"}, {"id": "b", "dependsOn": ["a"]}]})
ready = work.next_ready_nodes(plan="python")
assert [node["id"] for node in ready] == ["a"], ready
claim = work.claim_node("python", "a", {"agent": "ada"})
assert claim.claimed and claim.fence
try:
    work.claim_node("python", "a", {"agent": "bob"})
    raise AssertionError("claimed twice")
except ApiException as error:
    assert error.status == 409, error
report = work.report_node("python", "a", {"agent": "ada", "note": "half", "fence": claim.fence})
assert report.reported
assert work.release_node("python", "a", {"agent": "ada", "outcome": "submitted"}).released
assert plans.node_status("python", "a").status == "submitted"
print("done")
`;
