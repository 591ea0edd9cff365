import { type Box, connect } from '../../packages/service/src/client/index.ts';
import { startedProcess } from '../../tests/spawn.ts';
import { caller } from '../../tests/start.ts';
import { type Contender, workFor } from './contender.ts';
import { openConnection } from './lean-http.ts';

/** The whole service as started by a user, with a number of ready nodes. */
async function startWith(nodes: number, env: Record<string, string>) {
  const service = await startedProcess(env);
  const list = Array.from({ length: nodes }, (_, index) => ({ id: `n${index}`, binding: { kind: 'signOff' } }));
  await caller(service.url)('POST', '/api/plans', { plan: 'bench', nodes: list });
  return service;
}

/** The worker of the client: one process, one socket, several nodes at once. */
export async function openOurWorker(nodes: number, env: Record<string, string> = {}): Promise<Contender> {
  const service = await startWith(nodes, env);
  const box = connect({ url: service.url });
  return {
    name: 'Signalbox, its own worker',
    claimMs: [],
    async round(concurrency, ms) {
      let done = 0;
      const worker = box.work({ agent: 'bench', concurrency, signals: false }, (_, { defer }) => {
        done += 1;
        // A submitted node would not be handed out again, and a round needs more nodes than a plan has.
        defer({ until: new Date(0) });
      });
      await new Promise((resolve) => setTimeout(resolve, ms));
      const counted = done;
      await worker.stop();
      return counted;
    },
    async close() {
      box.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** A client with a separate socket for each agent. */
export async function openOurSockets(nodes: number, env: Record<string, string> = {}): Promise<Contender> {
  const service = await startWith(nodes, env);
  return openSockets('Signalbox, a socket for each agent', service.url, () => service[Symbol.asyncDispose]());
}

export function openSockets(name: string, url: string, stop: () => PromiseLike<void>): Contender {
  const boxes: Box[] = [];
  const claimMs: number[] = [];
  const job = async (worker: number) => {
    const box = boxes[worker] as Box;
    const agent = `agent-${worker}`;
    const started = performance.now();
    const claimed = await box.call('claim_next', { agent });
    const took = performance.now() - started;
    if (!claimed.claimed) throw new Error('nothing was ready');
    await box.call('release_node', { plan: 'bench', node: claimed.node.id, agent, fence: claimed.fence });
    return took;
  };
  return {
    name,
    claimMs,
    async round(workers, ms) {
      while (boxes.length < workers) boxes.push(connect({ url }));
      return workFor(workers, ms, job, claimMs);
    },
    async close() {
      for (const box of boxes) box.close();
      await stop();
    },
  };
}

/** The best ready node is claimed and released over HTTP. */
export async function openOurs(
  nodes: number,
  env: Record<string, string> = {},
  name = 'Signalbox over HTTP',
): Promise<Contender> {
  const service = await startWith(nodes, env);
  const wires: Awaited<ReturnType<typeof openConnection>>[] = [];
  const claimMs: number[] = [];
  const post = async (worker: number, path: string, body: unknown) => {
    const answer = await wires[worker]?.post(path, body);
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.body}`);
    return answer.body;
  };
  const job = async (worker: number) => {
    const agent = `agent-${worker}`;
    const started = performance.now();
    const claimed = await post(worker, '/api/plans/ready/claim', { agent });
    const took = performance.now() - started;
    const { node } = JSON.parse(claimed) as { node: { id: string } };
    await post(worker, `/api/plans/bench/nodes/${node.id}/release`, { agent });
    return took;
  };
  return {
    name,
    claimMs,
    async round(workers, ms) {
      while (wires.length < workers) wires.push(await openConnection(Number(new URL(service.url).port)));
      return workFor(workers, ms, job, claimMs);
    },
    async close() {
      for (const wire of wires) wire.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
