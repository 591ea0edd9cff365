import { hash as digestOf } from 'node:crypto';

/** The stored hash of a secret. Secrets are random, so a slower hash would not protect them better. */
export const hashOf = (secret: string): string => digestOf('sha256', secret, 'base64url');

/** The credentials in a request. */
export type Credentials = { bearer: string | undefined; login: string | undefined };

export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^bearer (.+)$/i.exec(authorization ?? '')?.[1];

/** The name contains the port, because a browser sends the cookies of a host to all of its ports. */
export const cookieName = (what: string, port: number, overTls: boolean): string =>
  `${overTls ? '__Host-' : ''}signalbox_${what}_${port}`;

/** The name of the cookie for this port. Behind a TLS proxy it is the name used over TLS; over TLS no other name is accepted. */
export const cookieOf = (
  header: string | undefined,
  what: string,
  port: number,
  overTls: boolean,
): string | undefined =>
  readCookie(header, cookieName(what, port, true)) ??
  (overTls ? undefined : readCookie(header, cookieName(what, port, false)));

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}
