import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultsIn } from './otlp-definitions.ts';

type Attribute = { key: string; value: Record<string, unknown> };
export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  events?: { name: string; attributes: Attribute[] }[];
  links?: { traceId: string; spanId: string }[];
  status: { code: number; message?: string };
};
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
type Body = any;
type Received = { path: string; headers: IncomingHttpHeaders; body: Body; bytes: number };
/** A status, with headers if there are any; 0 cuts the connection, and `hang` never answers. */
type Reply = { status: number; headers?: Record<string, string>; text?: string } | 'hang';

/** The receiver of OTLP. Every received body is checked against the published definitions. */
export async function openCollector() {
  const requests: Received[] = [];
  const faults: string[] = [];
  let reply: (received: Received) => Reply = () => ({ status: 200, text: '{}' });
  const taken: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = JSON.parse(text);
      const received = { path, headers: request.headers, body, bytes: Buffer.byteLength(text) };
      requests.push(received);
      faults.push(...faultsIn(path.endsWith('metrics') ? 'metrics' : 'traces', body));
      const answer = reply(received);
      if (answer === 'hang') return;
      if (answer.status === 200) taken.push(received);
      if (answer.status === 0) request.socket.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Everything that does not match the protocol. */
    faults,
    answers(next: Reply | ((received: Received) => Reply)) {
      reply = typeof next === 'function' ? next : () => next;
    },
    /** All spans that were answered with 200. */
    spans: (): ReceivedSpan[] =>
      taken
        .filter(({ path }) => path.endsWith('traces'))
        .flatMap(({ body }) => body.resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    metrics: (): Body[] =>
      taken
        .filter(({ path }) => path.endsWith('metrics'))
        .flatMap(({ body }) => body.resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The value of an attribute as a plain value. */
export const attribute = ({ attributes }: { attributes: readonly Attribute[] }, key: string): unknown =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];
