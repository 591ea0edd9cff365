import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export type ServiceUrls = { url: string; consoleUrl: string };
export type Load = { claims: number; events: number; refused: string[]; lateMs: number; stop(): Promise<void> };

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

function post(url: string, path: string, body: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, hostname, port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on('error', reject).end(body);
  });
}

export const nodes = 100;

/** One claim, then a report or a release: the work of an agent. */
async function claim(place: ServiceUrls, turn: number): Promise<string | undefined> {
  const node = `/api/plans/soak/nodes/n${turn % nodes}`;
  const who = `{"agent":"agent-${turn % 7}"}`;
  const { status, text } = await post(place.url, `${node}/claim`, who);
  if (status !== 200) return `claim ${status} ${text.slice(0, 200)}`;
  const after = await post(place.url, `${node}/release`, who);
  return after.status === 200 ? undefined : `release ${after.status} ${after.text.slice(0, 200)}`;
}

const perBatch = 100;
const batchesPerRun = 50;

function batch(turn: number): string {
  const [run, part] = [Math.floor(turn / batchesPerRun), turn % batchesPerRun];
  const runId = `soak-${run}`;
  const events: object[] = [];
  if (part === 0) events.push({ type: 'run_started', runId, suite: 'soak', totalScenarios: 2500 });
  for (let n = events.length; n < perBatch - (part === batchesPerRun - 1 ? 1 : 0); n += 1) {
    const uid = `Feature ${part}/scenario ${n >> 1}`;
    events.push(
      n % 2 === 0
        ? { type: 'scenario_started', runId, uid, attempt: 1 }
        : { type: 'scenario_finished', runId, uid, outcome: 'CleanPass', attempts: 1, durationMs: n },
    );
  }
  if (part === batchesPerRun - 1) events.push({ type: 'run_finished', runId, exitCode: 0 });
  return JSON.stringify({ events });
}

async function ingest(place: ServiceUrls, turn: number): Promise<string | undefined> {
  const { status, text } = await post(place.consoleUrl, '/api/ingest', batch(turn));
  return status === 202 ? undefined : `ingest ${status} ${text.slice(0, 200)}`;
}

/** Runs `work` this many times a second; if a run takes too long, later ones catch up, and none is dropped. */
function steadily(perSecond: number, work: (turn: number) => Promise<string | undefined>, load: Load) {
  let turn = 0;
  let stopped = false;
  const began = performance.now();
  const loop = async () => {
    while (!stopped) {
      const mine = turn++;
      const wait = began + (mine * 1000) / perSecond - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      else load.lateMs = Math.max(load.lateMs, -wait);
      const wrong = await work(mine).catch((error: Error) => (stopped ? undefined : error.message));
      if (wrong && load.refused.length < 100) load.refused.push(wrong);
    }
  };
  // Several at once, so that one slow answer does not delay the others.
  const done = Promise.all(Array.from({ length: 8 }, loop));
  return async () => {
    stopped = true;
    await done;
  };
}

/** A client of the hub that reads everything and stores nothing. */
function listen({ url }: ServiceUrls): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write('GET /api/messages HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'),
  );
  return socket.on('error', () => undefined).resume();
}

export type Rates = { claims: number; events: number; clients: number };

/** Starts the load; stopping it waits for calls in progress. */
export async function begin(place: ServiceUrls, rates: Rates): Promise<Load> {
  const plan = { plan: 'soak', nodes: Array.from({ length: nodes }, (_, n) => ({ id: `n${n}` })) };
  await post(place.url, '/api/plans', JSON.stringify(plan));
  const listeners = Array.from({ length: rates.clients }, () => listen(place));
  const load: Load = { claims: 0, events: 0, refused: [], lateMs: 0, stop: async () => undefined };
  const stops = [
    steadily(rates.claims, (turn) => claim(place, turn).finally(() => (load.claims += 1)), load),
    steadily(rates.events / perBatch, (turn) => ingest(place, turn).finally(() => (load.events += perBatch)), load),
  ];
  load.stop = async () => {
    await Promise.all(stops.map((stop) => stop()));
    for (const socket of listeners) socket.destroy();
    agent.destroy();
  };
  return load;
}
