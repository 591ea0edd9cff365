import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../certificates.ts';
import { signalbox } from '../spawn.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [now, day] = [Date.now(), 86_400_000];
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function statusAt(url: string, ca?: string) {
  await using typed = signalbox(['status', '--url', url], ca ? { NODE_EXTRA_CA_CERTS: ca } : {});
  return { code: await typed.ended, err: typed.err() };
}

test.each([
  [
    'expired',
    'localhost',
    now - 30 * day,
    now - 5 * day,
    true,
    new RegExp(`has expired on ${dayOf(now - 5 * day)}\\. Put the new certificate`),
  ],
  [
    'not valid yet',
    'localhost',
    now + 5 * day,
    now + 30 * day,
    true,
    new RegExp(`is not valid yet: it is valid from ${dayOf(now + 5 * day)}\\. Set the clock`),
  ],
  [
    'for another name',
    'box.example',
    now - day,
    now + 30 * day,
    true,
    /is for another name \(box\.example\)\. Use that name/,
  ],
  [
    'of an unknown authority',
    'localhost',
    now - day,
    now + 30 * day,
    false,
    /does not know the authority.*NODE_EXTRA_CA_CERTS/,
  ],
])('a certificate that is %s is told as such, with what to do', async (_, name, from, until, isKnown, sentence) => {
  const { cert, key } = makeCertificate(mkdtempSync(join(folder, 'of-')), name, from, until);
  const port = await listening(
    createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) => void response.end('{}')),
  );
  const { code, err } = await statusAt(`https://localhost:${port}`, isKnown ? cert : undefined);
  expect(code).toBe(3);
  expect(err).toMatch(sentence);
  expect(err).not.toContain('No service answers');
});

test('the wrong scheme is reported', async () => {
  const { cert, key } = makeCertificate(mkdtempSync(join(folder, 'of-')), 'localhost', now - day, now + day);
  const tls = await listening(createServer({ cert: readFileSync(cert), key: readFileSync(key) }));
  expect((await statusAt(`http://localhost:${tls}`)).err).toContain(`speaks TLS. Use https://localhost:${tls}`);
  const plain = await listening(createHttp((_, response) => void response.end('{}')));
  expect((await statusAt(`https://localhost:${plain}`)).err).toContain(
    `does not speak TLS. Use http://localhost:${plain}`,
  );
});
