import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '../certificates.ts';
import { signalbox } from '../spawn.ts';

let folder: string;
let good: { cert: string; key: string };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-'));
  good = makeCertificate(folder, 'localhost', Date.now() - 86_400_000, Date.now() + 86_400_000);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const pem = (passphrase?: string): string => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const locked = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  return privateKey.export({ type: 'pkcs8', format: 'pem', ...locked }).toString();
};

const settings: [what: string, tls: () => { cert?: string; key?: string }, says: RegExp][] = [
  [
    'a key of another certificate',
    () => ({ ...good, key: written('other.key', pem()) }),
    /cannot be used: .*mismatch/i,
  ],
  [
    'a key with a passphrase',
    () => ({ ...good, key: written('locked.key', pem('hush')) }),
    /cannot be used: .*passphrase/i,
  ],
  ['an empty key', () => ({ ...good, key: written('empty.key', '') }), /cannot be used/],
  ['an empty certificate', () => ({ ...good, cert: written('empty.crt', '') }), /cannot be used/],
  ['a certificate for a key', () => ({ ...good, key: good.cert }), /cannot be used/],
  ['a text for a certificate', () => ({ ...good, cert: written('text.crt', 'hello\u001b[2J') }), /cannot be used/],
  [
    'a certificate that is cut off',
    () => ({ ...good, cert: written('cut.crt', '-----BEGIN CERTIFICATE-----\nMIIB') }),
    /cannot be used/,
  ],
  ['a file that is not there', () => ({ ...good, key: join(folder, 'missing.key') }), /cannot be used: .*missing\.key/],
  ['a key alone', () => ({ key: good.key }), /TlsCert is missing/],
  ['a certificate alone', () => ({ cert: good.cert }), /TlsKey is missing/],
];

test.each(settings)(
  '%s for TLS ends the start with its cause, and nothing listens without TLS',
  async (_, tls, says) => {
    const { cert, key } = tls();
    await using service = signalbox(['start'], {
      PORT: '0,0',
      ...(cert !== undefined && { Service__TlsCert: cert }),
      ...(key !== undefined && { Service__TlsKey: key }),
    });
    expect(await service.ended).toBe(1);
    const said = service.out() + service.err();
    expect(said).toMatch(says);
    expect(said).not.toContain('http://');
    expect(said).not.toContain('\u001b');
    expect(said).not.toMatch(/PRIVATE KEY|\n\s+at /);
  },
);
