import { Agent, request } from 'node:http';
import { startedProcess } from '../../tests/spawn.ts';
import { type Contender, workFor } from './contender.ts';

/** The whole service as it is started, on its own disk: the best ready node is claimed and released over HTTP. */
export async function openOurs(
  nodes: number,
  env: Record<string, string> = {},
  name = 'Signalbox',
): Promise<Contender> {
  const service = await startedProcess(env);
  const { port } = new URL(service.url);
  const wire = new Agent({ keepAlive: true, maxSockets: 256 });
  const post = (method: string, path: string, body: unknown) =>
    new Promise<{ ref?: string; claimed?: boolean }>((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const sent = request({ agent: wire, host: '127.0.0.1', port, method, path, headers }, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (part) => (answer += part));
        response.on('end', () => {
          if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(answer));
          else reject(new Error(`${response.statusCode}: ${answer}`));
        });
      });
      sent.on('error', reject).end(text);
    });
  const list = Array.from({ length: nodes }, (_, index) => ({ id: `n${index}`, binding: { kind: 'signOff' } }));
  await post('POST', '/api/plans', { plan: 'bench', nodes: list });
  const claimMs: number[] = [];
  const job = async (worker: number) => {
    const agent = `agent-${worker}`;
    const started = performance.now();
    const answer = await post('POST', '/api/plans/ready/claim', { agent });
    const took = performance.now() - started;
    const [plan, node] = (answer as { node: { ref: string } }).node.ref.split('/');
    await post('POST', `/api/plans/${plan}/nodes/${node}/release`, { agent });
    return took;
  };
  return {
    name,
    claimMs,
    round: (workers, ms) => workFor(workers, ms, job, claimMs),
    async close() {
      wire.destroy();
      await service[Symbol.asyncDispose]();
    },
  };
}
