import type { IncomingMessage } from 'node:http';

export type HttpAnswer = {
  ok: boolean;
  status: number;
  header(name: string): string | undefined;
  text(): Promise<string>;
};

type HttpRequest = {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * One request with Node's plain client, because loading its `fetch` takes longer than everything else in a short
 * command. Importing `node:http` would load `fetch` too, because it exports WebSocket.
 */
export async function httpRequest(url: string, { method, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers, ...(signal && { signal }) }, resolve);
    sent.once('error', reject);
    sent.end(body);
  });
  // The answer is always read: an unread answer keeps its connection and thus the process alive.
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  const status = response.statusCode ?? 0;
  return {
    ok: status >= 200 && status < 300,
    status,
    header: (name) => response.headers[name]?.toString(),
    text: async () => text,
  };
}
