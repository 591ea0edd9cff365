import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Refusal, refuse } from '../kernel/outcome.ts';

export const loginCookie = 'signalbox_login';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes as long for a wrong text as for the right one, whatever their lengths. */
export const sameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** What the cookie holds: proof that its bearer knew the token, useless for finding it. */
export const cookieOf = (token: string): string => createHmac('sha256', token).update('web login').digest('base64url');

export type Credentials = { authorization: string | undefined; cookie: string | undefined; query: string | undefined };

/** Checks what a caller showed against the token; undefined is a welcome. */
export function checkToken(token: string, { authorization, cookie, query }: Credentials): Refusal | undefined {
  const bearer = /^bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? query;
  if (bearer !== undefined) {
    if (sameSecret(bearer, token)) return undefined;
    return refuse('token_invalid', 'The token is not the one in Service:Token.');
  }
  const login = readCookie(cookie, loginCookie);
  if (login !== undefined && sameSecret(login, cookieOf(token))) return undefined;
  return refuse('token_required', 'Send the token as "Authorization: Bearer …", or log in on the web page.');
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.split('=', 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}
