import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { compactVerify, importJWK, type JWK } from 'jose';
import { z } from 'zod';
import { readPlainFile } from '../files/plain-file.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import type { Licence } from '../kernel/dispatch.ts';
import { errorCode } from '../kernel/error-code.ts';
import { BadConfig } from './config.ts';

const claims = z.object({
  sub: z.string(),
  edition: z.string(),
  iat: z.number().optional(),
  exp: z.number().optional(),
});

const none: Licence = { state: 'missing', edition: null, expiresAt: null, holder: null };

/** Checks the signature once, offline; expiry is checked at every call. */
export async function openLicence(
  setting: string | undefined,
  publicKey: string | undefined,
  clock: Clock,
): Promise<() => Licence> {
  if (setting?.toLowerCase() === 'none') return () => none;
  const text = setting === undefined ? communityLicence : contentOf('Licence', setting);
  const key = publicKey === undefined ? communityKey : keyOf(publicKey);
  const licence = await verify(text.trim(), key);
  const { expiresAt } = licence;
  if (expiresAt === null) return () => licence;
  return () => (clock.wall() < Date.parse(expiresAt) ? licence : { ...licence, state: 'expired' });
}

async function verify(text: string, jwk: JWK): Promise<Licence> {
  try {
    const { payload } = await compactVerify(text, await importJWK(jwk, 'EdDSA'), { algorithms: ['EdDSA', 'Ed25519'] });
    const { sub, edition, exp } = claims.parse(JSON.parse(new TextDecoder().decode(payload)));
    return { state: 'valid', edition, expiresAt: exp === undefined ? null : iso(exp * 1000), holder: sub };
  } catch {
    return { ...none, state: 'invalid' };
  }
}

/** The setting is either the value itself or a path to it. */
function contentOf(key: string, setting: string): string {
  const path = setting.replace(/^~(?=[\\/])/, homedir());
  if (!existsSync(path)) return setting;
  try {
    return readPlainFile(path, 1024 * 1024).toString('utf8');
  } catch (fault) {
    const code = errorCode(fault);
    throw new BadConfig(`Service:${key} is ${setting}, which cannot be read (${code}). Set it to a readable file.`);
  }
}

function keyOf(setting: string): JWK {
  const text = contentOf('LicencePublicKey', setting);
  try {
    return JSON.parse(text);
  } catch {
    throw new BadConfig('Service:LicencePublicKey is neither a JWK nor a path to one. Correct it, or remove the key.');
  }
}

/** Included in the product so that a fresh installation works. Its private key is not in any repository. */
export const communityKey = {
  crv: 'Ed25519',
  x: 'YswuiqkFYrrAzKsgTjNPqC3Um8eva6YeL1JKDG8hKAo',
  kty: 'OKP',
  alg: 'EdDSA',
};

export const communityLicence =
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJldmVyeW9uZSIsImVkaXRpb24iOiJjb21tdW5pdHkiLCJpYXQiOjE3OTQ3MDA4MDB9.kbUhtxwVV9jPHh7Ilgvg8N70qqea4js8N5HiT9zr8HRmdYMUPCuf94AJcN748XzKhwPaQgLMwXIJy--0yRHgDA';
