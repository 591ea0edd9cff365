import { Worker } from 'node:worker_threads';
import { connect } from '../packages/service/src/client/index.ts';
import { startedProcess } from '../tests/spawn.ts';
import { caller } from '../tests/start.ts';
import { workFor } from './peers/contender.ts';

// Claims of 16 agents on sockets while 8 publishers send as fast as they can, beside the same without them: rounds of
// both in turn, and how much longer a claim takes.
const rounds = Number(process.env.SIGNALBOX_ROUNDS ?? 7);
const roundMs = 1_500;
const agents = 16;
const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

await using service = await startedProcess();
const publishers = new Worker(new URL('./ingest-clients.ts', import.meta.url));
const nodes = Array.from({ length: 2_000 }, (_, index) => ({ id: `n${index}`, binding: { kind: 'signOff' } }));
await caller(service.url)('POST', '/api/plans', { plan: 'bench', nodes });
const boxes = Array.from({ length: agents }, () => connect({ url: service.url }));

const job = async (worker: number): Promise<number> => {
  const box = boxes[worker];
  const agent = `agent-${worker}`;
  const started = performance.now();
  const claim = await box?.call('claim_next', { agent });
  const took = performance.now() - started;
  if (!claim?.claimed) throw new Error('nothing was ready');
  await box?.call('release_node', { plan: 'bench', node: claim.node.id, agent, fence: claim.fence });
  return took;
};

const ingest = (ms: number): Promise<number> =>
  new Promise((resolve) => {
    publishers.once('message', resolve);
    publishers.postMessage({ port: Number(new URL(service.consoleUrl).port), ms });
  });

const sides = { quiet: [] as number[], beside: [] as number[] };
const ratios: number[] = [];
let events = 0;
for (let round = 0; round <= rounds; round += 1) {
  const [quiet, beside]: [number[], number[]] = [[], []];
  await workFor(agents, roundMs, job, quiet);
  const sending = ingest(roundMs);
  await workFor(agents, roundMs, job, beside);
  events = await sending;
  // The first round warms up.
  if (round === 0) continue;
  sides.quiet.push(...quiet);
  sides.beside.push(...beside);
  ratios.push(quantile(beside, 0.99) / quantile(quiet, 0.99));
}
for (const [name, took] of Object.entries(sides))
  console.log(`claims ${name}: p50 ${quantile(took, 0.5).toFixed(2)} ms, p99 ${quantile(took, 0.99).toFixed(2)} ms`);
const all = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
console.log(
  `ingest meanwhile: ${events.toFixed(0)} events/s; p99 beside / quiet: ${quantile(ratios, 0.5).toFixed(2)} (${all})`,
);
for (const box of boxes) box.close();
await publishers.terminate();
