import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../kernel/clock.ts';

export type TlsPaths = { cert: string; key: string };
type TlsContent = { cert: Buffer; key: Buffer; minVersion: 'TLSv1.2' };

/** How often the files are checked: a certificate is renewed well before it expires. */
const lookMs = 10_000;

/** Reads and checks both files; throws if they cannot be used. */
export function readTls({ cert, key }: TlsPaths): TlsContent {
  for (const path of [cert, key]) if (!statSync(path).isFile()) throw new Error(`${path} is not a regular file`);
  const content = { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' } as const;
  if (content.key.includes('ENCRYPTED'))
    throw new Error(`${key} has a passphrase: write it without one (openssl pkey)`);
  createSecureContext(content);
  return content;
}

type FollowDeps = { clock: Clock; say: (details: object, text: string) => void };

/** Gives the servers the new certificate when the files have changed; if the pair is invalid, the old one stays. */
export function followTls(paths: TlsPaths, servers: readonly Server[], { clock, say }: FollowDeps): () => void {
  let before = stampOf(paths);
  return clock.every(lookMs, () => {
    const now = stampOf(paths);
    if (now === before) return;
    before = now;
    try {
      const content = readTls(paths);
      for (const server of servers) server.setSecureContext(content);
      say({}, 'the new TLS certificate is in use');
    } catch (err) {
      say({ err }, 'cannot use the changed TLS certificate; the old one stays in use');
    }
  });
}

function stampOf({ cert, key }: TlsPaths): string {
  const stamp = (path: string) => {
    const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return `${ino} ${size} ${mtimeMs}`;
  };
  return `${stamp(cert)} ${stamp(key)}`;
}
