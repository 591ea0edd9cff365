import http from 'node:http';
import https from 'node:https';

export type Posted = { status: number; text: string };

const timeoutMs = 10_000;
/** Answers of the service have a few hundred bytes. */
const maxAnswer = 64 * 1024;

/**
 * Posts JSON on one connection that stays open. `fetch` and `WebSocket` would use a quarter more memory than everything
 * else in an observer.
 */
export function createPost(url: string, token: string | undefined) {
  const { request, Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    close: () => agent.destroy(),
    post: (path: string, body: object): Promise<Posted> =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(body);
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...authorization,
        };
        const sent = request(`${url}${path}`, { method: 'POST', agent, headers, timeout: timeoutMs }, (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (piece: string) => {
            answer += piece;
            if (answer.length > maxAnswer) sent.destroy(new Error('its answer is too long'));
          });
          response.once('end', () => resolve({ status: response.statusCode ?? 0, text: answer }));
          response.once('error', reject);
          response.once('aborted', () => reject(new Error('its answer was cut off')));
        });
        sent.once('timeout', () => sent.destroy(new Error(`no answer after ${timeoutMs / 1000} seconds`)));
        sent.once('error', reject);
        sent.end(text);
      }),
  };
}
