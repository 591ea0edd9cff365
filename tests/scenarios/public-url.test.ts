import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, request as requestTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../certificates.ts';
import { type Started, start } from '../start.ts';

const token = 'a-secret-of-this-test';

/** A proxy that ends TLS and keeps the Host header, as in the guide's nginx configuration. */
async function tlsProxy(to: () => Started) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-proxy-'));
  const { cert, key } = makeCertificate(folder, 'box.example.com', Date.now() - 86_400_000, Date.now() + 86_400_000);
  const ca = readFileSync(cert);
  const proxy = createServer({ cert: ca, key: readFileSync(key) }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port: new URL(to().url).port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { port } = proxy.address() as AddressInfo;
  const call = (method: string, path: string, headers: Record<string, string>, body = '') =>
    new Promise<{ status: number; cookie: string }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, ca, servername: 'box.example.com', method, path };
      const asked = requestTls({ ...options, headers: { host: `box.example.com:${port}`, ...headers } }, (answer) => {
        answer.resume();
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, cookie: answer.headers['set-cookie']?.[0] ?? '' }),
        );
      });
      asked.once('error', reject);
      asked.end(body);
    });
  return { origin: `https://box.example.com:${port}`, call };
}

const json = { 'content-type': 'application/json' };
const login = JSON.stringify({ token });

test('behind a TLS proxy at Service:PublicUrl a login has a Secure cookie that lets in, and its origin is allowed', async () => {
  let service: Started | undefined;
  const proxy = await tlsProxy(() => service as Started);
  await using started = await start({ settings: { Token: token, PublicUrl: proxy.origin } });
  service = started;
  const { status, cookie } = await proxy.call('POST', '/api/login', { ...json, origin: proxy.origin }, login);
  expect([status, cookie]).toEqual([204, expect.stringMatching(/; HttpOnly; SameSite=Strict; Secure$/)]);
  const [held = ''] = cookie.split(';');
  expect((await proxy.call('GET', '/api/plans', { cookie: held })).status).toBe(200);
  const foreign = { ...json, origin: 'https://evil.example.com', cookie: held };
  expect((await proxy.call('POST', '/api/plans', foreign, '{"plan":"p"}')).status).toBe(403);
  // Through the other address it is not sent over TLS, where a Secure cookie would be dropped.
  const direct = await started.call('POST', '/api/login', { token });
  expect(direct.headers.get('set-cookie')).not.toContain('Secure');
});

test('without Service:PublicUrl the same proxy gets no Secure cookie, and only https:// addresses are taken', async () => {
  let service: Started | undefined;
  const proxy = await tlsProxy(() => service as Started);
  await using started = await start({ settings: { Token: token } });
  service = started;
  expect((await proxy.call('POST', '/api/login', json, login)).cookie).not.toContain('Secure');
  await expect(start({ settings: { PublicUrl: 'http://box.example.com' } })).rejects.toThrow(
    'Service:PublicUrl must be https:// addresses',
  );
});
