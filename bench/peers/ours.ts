import { startedProcess } from '../../tests/spawn.ts';
import { caller } from '../../tests/start.ts';
import { type Contender, workFor } from './contender.ts';
import { openConnection } from './lean-http.ts';

/** The whole service as it is started, on its own disk: the best ready node is claimed and released over HTTP. */
export async function openOurs(
  nodes: number,
  env: Record<string, string> = {},
  name = 'Signalbox',
): Promise<Contender> {
  const service = await startedProcess(env);
  const list = Array.from({ length: nodes }, (_, index) => ({ id: `n${index}`, binding: { kind: 'signOff' } }));
  await caller(service.url)('POST', '/api/plans', { plan: 'bench', nodes: list });
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
