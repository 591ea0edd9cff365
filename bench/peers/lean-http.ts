import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * One persistent connection that only sends requests and reads answers, so that the client's cost does not hide the server's
 * speed. It reads only answers with a content-length, as the service sends.
 */
export async function openConnection(port: number) {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let resolve: ((answer: { status: number; body: string }) => void) | undefined;
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
    // The plans of this benchmark are ASCII, so characters are bytes.
    if (text.length < end + 4 + length) return;
    const answer = { status: Number(text.slice(9, 12)), body: text.slice(end + 4, end + 4 + length) };
    text = '';
    resolve?.(answer);
  });
  return {
    post(path: string, body: unknown): Promise<{ status: number; body: string }> {
      const json = JSON.stringify(body);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
      );
      return new Promise((done) => {
        resolve = done;
      });
    },
    close: () => socket.destroy(),
  };
}
