import { request } from 'node:http';

/** Sends from its own address: quotas are counted by address. */
export function ingestFrom(
  address: string,
  url: string,
  events: readonly object[],
): Promise<{ accepted: number; ignored: number; rejected: Array<{ message: string }> }> {
  const { port } = new URL(url);
  const options = { host: '127.0.0.1', port, method: 'POST', path: '/api/ingest', localAddress: address };
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, headers: { 'content-type': 'application/json' } }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve(JSON.parse(text));
    });
    asked.on('error', reject).end(JSON.stringify({ events }));
  });
}
