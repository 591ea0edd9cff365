import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import WebSocket from 'ws';
import type { Ask } from './grammar.ts';

/** `status` 0: the connection ended without an answer, which only broken bytes may cause. */
export type FuzzAnswer = { status: number; text: string };
export type Target = { url: string; consoleUrl: string };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function send({ url, consoleUrl }: Target, ask: Ask): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(ask.port === 'console' ? consoleUrl : url);
  if (ask.door === 'bytes') return sendRaw(Number(port), ask.body);
  if (ask.door === 'socket') return sendFrames(Number(port), ask);
  if (ask.door === 'frame') return callOnSocket(url, ask);
  return new Promise((resolve, reject) => {
    const headers = { ...ask.headers, 'content-length': String(ask.body.length) };
    const wanted = { host: hostname, port, method: ask.method, path: escaped(ask.path), headers };
    const asked = request(ask.door === 'stream' ? { ...wanted, agent: false } : { ...wanted, agent }, (response) => {
      if (ask.door === 'stream' && response.statusCode === 200) {
        resolve({ status: 200, text: '' });
        asked.destroy();
      } else void read(response).then(resolve, reject);
    });
    asked.on('error', reject);
    asked.end(ask.body);
  });
}

async function read(response: IncomingMessage): Promise<FuzzAnswer> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode ?? 0, text };
}

/** Node's client refuses bytes that a path cannot contain; the door `bytes` tests those. */
const escaped = (path: string): string => path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));

function sendRaw(port: number, bytes: Buffer): Promise<FuzzAnswer> {
  return new Promise((resolve) => {
    let text = '';
    // Our own end comes first: otherwise the server would wait for the rest of an incomplete request.
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.length > 200_000) socket.destroy();
    });
    socket.on('error', () => undefined).on('close', () => resolve({ status: statusOf(text), text }));
  });
}

function sendFrames(port: number, { path, body }: Ask): Promise<FuzzAnswer> {
  const upgrade = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(upgrade));
    socket.once('data', (part) => {
      text = String(part);
      socket.resume().end(body);
    });
    socket.on('error', () => undefined).on('close', () => resolve({ status: statusOf(text), text }));
  });
}

/** Sends the frame and then a ping, and waits for the pong: everything before it has been processed then. */
function callOnSocket(url: string, { path, body }: Ask): Promise<FuzzAnswer> {
  return new Promise((resolve) => {
    const ws = new WebSocket(`${url.replace('http', 'ws')}${path}`, { perMessageDeflate: false });
    let received = 0;
    const end = (status: number) => {
      ws.terminate();
      resolve({ status, text: `${received} bytes` });
    };
    ws.on('open', () => {
      ws.send(body.toString());
      ws.send('{"jsonrpc":"2.0","id":"end","method":"ping"}');
    });
    ws.on('message', (frame: Buffer) => {
      received += frame.length;
      if (frame.includes('"id":"end"')) end(101);
    });
    ws.on('error', () => end(0)).on('close', () => end(101));
  });
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
