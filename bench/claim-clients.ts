import { Agent, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

// 64 agents in a separate thread, each claiming its own node repeatedly, counted from `from`, each waiting for its answer.
const clients = 64;
const wire = new Agent({ keepAlive: true, maxSockets: clients });

type Round = { port: number; ms: number; from?: number; token?: string; prefix?: string };

const ask = ({ port, from = 0, token, prefix = '' }: Round, client: number) =>
  new Promise<void>((resolve, reject) => {
    const body = JSON.stringify({ agent: `${prefix}agent-${client}` });
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const path = `/api/plans/bench/nodes/n${from + client}/claim`;
    const sent = request({ agent: wire, port, host: '127.0.0.1', method: 'POST', path, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end(body);
  });

parentPort?.on('message', async (round: Round) => {
  const end = performance.now() + round.ms;
  let claims = 0;
  const client = async (_: unknown, number: number) => {
    while (performance.now() < end) {
      await ask(round, number);
      claims += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  parentPort?.postMessage(claims);
});
