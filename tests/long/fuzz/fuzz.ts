import { randomOf } from '../../random.ts';
import { type Ask, askOf } from './grammar.ts';
import { type FuzzAnswer, send, type Target } from './send-request.ts';

export type FuzzReport = { sent: number; statuses: Record<string, number>; faults: string[] };
export type FuzzOptions = { seed: number; requests: number; from?: number; together?: number; until?: () => boolean };

/** Sends this many requests of the grammar and returns every effect that no request may have. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests, from = 0, together = 32, until = () => false } = options;
  const fuzzed: FuzzReport = { sent: 0, statuses: {}, faults: [] };
  let next = from;
  const worker = async () => {
    while (next < from + requests && fuzzed.faults.length < 20 && !until()) {
      const number = next++;
      const ask = askOf(randomOf(seed, number));
      const told = await send(target, ask).catch((error: Error) => `${error.message}`);
      fuzzed.sent += 1;
      const key = typeof told === 'string' ? `${ask.door} -` : `${ask.door} ${told.status}`;
      fuzzed.statuses[key] = (fuzzed.statuses[key] ?? 0) + 1;
      const fault = typeof told === 'string' ? brokenLine(ask, told) : faultOf(ask, told);
      if (fault) fuzzed.faults.push(`seed ${seed} request ${number}: ${fault}\n${describeRequest(ask)}`);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  return fuzzed;
}

/** A connection that breaks although the request was complete HTTP. A body that was refused unread may end it. */
const brokenLine = (ask: Ask, message: string): string | undefined =>
  /ECONNRESET|EPIPE|socket hang up/.test(message) && ask.body.length > 1024 * 1024 ? undefined : message;

function faultOf({ door }: Ask, { status, text }: FuzzAnswer): string | undefined {
  if (status >= 500 && status !== 503 && status !== 507) return `answered ${status}: ${text.slice(0, 300)}`;
  if (status === 0 && door !== 'bytes' && door !== 'socket') return 'no answer';
  // The MCP library reports an invalid message of its own protocol as -32603, with the faults as a list.
  if (/"code":"internal"|"code":-32603,"message":"(?!\[)/.test(text))
    return `met a fault inside: ${text.slice(0, 300)}`;
  if (/\n {4}at .+:\d+:\d+/.test(text) && door !== 'ingest') return `shows its inside: ${text.slice(0, 300)}`;
  return undefined;
}

const describeRequest = ({ door, port, method, path, headers, body }: Ask): string =>
  `  ${door} ${port} ${method} ${path} ${JSON.stringify(headers)}\n  ${JSON.stringify(body.toString('latin1')).slice(0, 2000)}`;
