import type { DeviceAnswer, Identity, Pass } from '../kernel/access.ts';
import type { Refusal } from '../kernel/outcome.ts';
import type { Login } from './logins.ts';
import type { Credentials } from './token.ts';

/** When a sign-in ends, and when the provider stopped answering about it; null while it answers. */
export type SignedIn = { provider: string; until: number; uncheckedSince: number | null };

/** People who signed in at the provider of Service:OidcIssuer. */
export type People = {
  /** The host of the provider, as people know it. */
  provider: string;
  /** Asks the provider about these credentials if they are unknown or were checked too long ago; undefined if there is nothing to ask. */
  learn(credentials: Credentials): Promise<void> | undefined;
  /** The identity behind a token; undefined if it does not belong to a person. */
  ofBearer(token: string): Identity | Refusal | undefined;
  ofLogin(login: Login, id: string): Identity | undefined;
  signedIn(credentials: Credentials): SignedIn | undefined;
  /** When the provider stopped answering; null while it answers. */
  awaySince(): number | null;
  /** Changes whenever an accepted token is no longer accepted. */
  revocations(): number;
};

/** `transaction` holds the state of a sign-in in progress, encrypted so that the browser cannot read it. */
export type SignInStart = { location: string; transaction: string };
export type SignInEnd = { to: string } & ({ login: string; name: string; seconds: number } | { refused: string });

export type SignIns = {
  people: People;
  issuer: string;
  /** `origin` is the address by which the browser reached this port. */
  start(origin: string, to: string): Promise<SignInStart | Refusal>;
  finish(origin: string, answer: URLSearchParams, transaction: string | undefined): Promise<SignInEnd>;
  /** A message for the next page; it is encrypted, so only this service can have written it. */
  sealText(words: string): string;
  unsealText(sealed: string): string | undefined;
  /** The address where the browser ends its session at the provider; null if there is none. */
  logoutUrl(login: string, origin: string): Promise<string | null>;
  startDevice(): Promise<DeviceAnswer | Refusal>;
  pollDevice(device: string): Promise<Pass | 'pending' | 'slower' | Refusal>;
  renew(renewal: string): Promise<Pass | Refusal>;
  endPass(renewal: string): Promise<string | undefined>;
};
