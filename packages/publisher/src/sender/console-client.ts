import http from 'node:http';
import https from 'node:https';

/** The status of the answer, and the events that the console rejected, by their index in the batch. */
export type Posted = { status: number; rejected: readonly { index: number; message: string }[] };

export type ConsoleClient = {
  /** True when the program that answers is a Signalbox console; any web server may sit on the port. */
  ping(withinMs: number): Promise<boolean>;
  /** Posts one batch; throws if no answer came. A 404 that is not the console's counts as 503: gateways answer so while the console restarts. */
  post(body: string, withinMs: number, traceparent?: string | null): Promise<Posted>;
  /** How long the tests of a run usually take, by uid; empty if unknown. */
  expected(runId: string, withinMs: number): Promise<ReadonlyMap<string, number>>;
};

/** `fromConnect`: the time limit starts when the connection is open, however long that took. */
type More = { fromConnect?: boolean; headers?: Readonly<Record<string, string>> };

/** Runs of one process send at the same time; a single run needs one connection. */
const mostSockets = 4;

/** An HTTP client of the console with persistent connections. */
export function createConsoleClient(url: string, token: string | null): ConsoleClient {
  const secure = url.startsWith('https:');
  const { request, Agent } = secure ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: mostSockets });
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };

  const call = (method: string, path: string, body: string, withinMs: number, { fromConnect, ...more }: More = {}) =>
    new Promise<{ status: number; text: string; reused: boolean }>((resolve, reject) => {
      const headers = { ...authorization, ...more.headers, ...(body && jsonHeaders(body)) };
      const asked = request(`${url}${path}`, { method, agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          if (text.length < longest) text += part;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          patience.end();
          resolve({ status: answer.statusCode ?? 0, text, reused: asked.reusedSocket });
        });
      });
      const patience = patienceOf(withinMs, () => asked.destroy(new Error('no answer in time')));
      patience.begin();
      if (fromConnect) asked.once('socket', (socket) => socket.once('connect', patience.begin));
      asked.on('error', (fault) => {
        patience.end();
        reject(Object.assign(fault, { reused: asked.reusedSocket }));
      });
      asked.end(body);
    });

  return {
    async ping(withinMs) {
      try {
        const { status, text } = await call('GET', '/api/ping', '', withinMs, { fromConnect: true });
        return status === 200 && memberOf(JSON.parse(text), 'tool') === 'signalbox';
      } catch {
        return false;
      }
    },
    async expected(runId, withinMs) {
      try {
        const { text } = await call('GET', `/api/runs/${runId}`, '', withinMs);
        const scenarios = memberOf(JSON.parse(text), 'scenarios');
        return new Map((Array.isArray(scenarios) ? scenarios : []).map(expectedOf));
      } catch {
        return new Map();
      }
    },
    async post(body, withinMs, traceparent = null) {
      const headers = traceparent === null ? {} : { traceparent };
      const send = async () => postedIn(await call('POST', '/api/ingest', body, withinMs, { headers }));
      try {
        return await send();
      } catch (fault) {
        // An idle persistent connection may have died; sending a batch twice is harmless.
        const { reused, code } = fault as { reused?: boolean; code?: string };
        if (reused && (code === 'ECONNRESET' || code === 'EPIPE')) return send();
        throw fault;
      }
    },
  };
}

/** On a busy machine the timer is late too, so data that arrived meanwhile is read before giving up. */
function patienceOf(withinMs: number, giveUp: () => void) {
  let round = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    round += 1;
    clearTimeout(timer);
  };
  const begin = () => {
    end();
    const mine = round;
    timer = setTimeout(() => setImmediate(() => mine === round && giveUp()), withinMs);
  };
  return { begin, end };
}

function postedIn({ status, text }: { status: number; text: string }): Posted {
  const answer = text.length > longestPosted ? null : parsed(text);
  if (status === 404) return { status: typeof memberOf(answer, 'code') === 'string' ? 404 : 503, rejected: [] };
  const rejected = status === 202 ? memberOf(answer, 'rejected') : null;
  return { status, rejected: Array.isArray(rejected) ? rejected.map(rejectedOf) : [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const rejectedOf = (one: unknown) => ({
  index: Number(memberOf(one, 'index')),
  message: String(memberOf(one, 'message')),
});

/** Longest answer to a batch that is parsed. */
const longestPosted = 1_000_000;

/** Longest answer that is read; a longer one is ignored. */
const longest = 32_000_000;

const jsonHeaders = (body: string) => ({
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
});

/** Another program may answer at this address. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

function expectedOf(scenario: unknown): [uid: string, expectedMs: number] {
  const expectedMs = memberOf(scenario, 'expectedMs');
  return [String(memberOf(scenario, 'uid')), typeof expectedMs === 'number' ? expectedMs : 0];
}
