import { request } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** A request with exactly these headers: fetch does not let a test set a wrong Host. */
export function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Writes these bytes to the port and reads until the other side closes the connection. */
export function sendBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
}
