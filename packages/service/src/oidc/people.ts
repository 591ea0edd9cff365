import { randomUUID } from 'node:crypto';
import type { Login, Logins, PersonLogin } from '../edge/logins.ts';
import type { People, SignedIn } from '../edge/people.ts';
import { type Credentials, hashOf } from '../edge/token.ts';
import type { GroupScopes, Identity, Scope } from '../kernel/access.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/outcome.ts';
import { type Claims, isPerson, type Person, personOf, type Rejected } from './person.ts';
import type { Grant, Provider } from './provider.ts';
import { ProviderFault } from './provider-fault.ts';
import { keyFrom, seal, unseal } from './sealed.ts';

/** A sign-in lasts a working day; after that the person signs in again. */
export const sessionMs = 12 * 60 * 60_000;
/** A provider that does not answer is asked again after this time, not with every request. */
const retryMs = 30_000;
const lookMs = 15_000;
const mostRemembered = 10_000;
const refusedMs = 60_000;
const mostAsked = 50;
const mostTokenLength = 16_384;

export const passPrefix = 'sbp_';

export type PeopleDeps = {
  provider: Provider;
  groups: GroupScopes;
  logins: Logins;
  clock: Clock;
  /** The key that encrypts what leaves this service; hosts with the same secrets share it. */
  key: Buffer;
  checkMinutes: number;
  /** Whether an audience is an address of this service. */
  isOwnAddress(audience: string): boolean;
  /** Whether a token is of another kind, so that the provider is not asked about it. */
  isKnown(token: string): boolean;
  loginsEndedAt(): number;
  log: { warn(details: object, text: string): void; info(details: object, text: string): void };
};

type Tokens = Grant['tokens'] & { until: number };
/** The encrypted content of a pass. */
export type PassContent = {
  sid: string;
  sub: string;
  name: string;
  scopes: readonly Scope[];
  startedAt: number;
  checkedAt: number;
};
type Learned = { answer: Identity | Refusal; until: number; person?: Person };

/** The people who signed in, their scopes, and whether they still have access. */
export class SignedInPeople implements People {
  readonly provider: string;
  readonly #deps: PeopleDeps;
  readonly #checkMs: number;
  /** Ids of logins that were used since the start. Only an id can decrypt the tokens in its login. */
  readonly #used = new Map<string, { id: string; usedAt: number }>();
  readonly #checks = new Map<string, Promise<void>>();
  readonly #triedAt = new Map<string, number>();
  readonly #bearers = new Map<string, Learned>();
  readonly #asked = new Map<string, Promise<void>>();
  readonly #endedPasses = new Set<string>();
  #revocations = 0;
  #awaySince: number | null = null;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
    this.provider = deps.provider.host;
    this.#checkMs = deps.checkMinutes * 60_000;
  }

  awaySince(): number | null {
    return this.#awaySince;
  }

  /** Checks regularly whether people who are signed in still have access, and whether a provider that was away is back. */
  watch(): () => void {
    return this.#deps.clock.every(lookMs, async () => {
      if (this.#awaySince !== null) await this.#lookForProvider();
      for (const [idHash, { id, usedAt }] of this.#used) {
        const login = this.#deps.logins.find(id);
        if (!login?.person) this.#used.delete(idHash);
        // Checked early, so that the answer arrives in time.
        else if (usedAt > login.person.checkedAt && this.#age(login.person) >= this.#checkMs * 0.8)
          void this.#check(id, login);
      }
      await Promise.all(this.#checks.values());
    });
  }

  learn({ bearer, login: id }: Credentials): Promise<void> | undefined {
    if (bearer !== undefined) return this.#learnBearer(bearer);
    const login = id === undefined ? undefined : this.#deps.logins.find(id);
    if (id === undefined || !login?.person || this.#age(login.person) < this.#checkMs) return undefined;
    return this.#check(id, login);
  }

  ofLogin(login: Login, id: string): Identity | undefined {
    if (!login.person || login.startedAt <= this.#deps.loginsEndedAt()) return undefined;
    this.#used.set(login.idHash, { id, usedAt: this.#now() });
    return this.#identityOf(login.person);
  }

  ofBearer(token: string): Identity | Refusal | undefined {
    if (token.startsWith(passPrefix)) return this.#ofPass(token);
    const learned = this.#bearers.get(hashOf(token));
    return learned && learned.until > this.#now() ? learned.answer : undefined;
  }

  signedIn({ bearer, login: id }: Credentials): SignedIn | undefined {
    const { provider } = this;
    if (bearer !== undefined) {
      const pass = this.readPass(bearer);
      return pass && { provider, until: pass.startedAt + sessionMs, uncheckedSince: this.#unchecked(pass.checkedAt) };
    }
    const login = id === undefined ? undefined : this.#deps.logins.find(id);
    if (!login?.person) return undefined;
    return { provider, until: login.expiresAt, uncheckedSince: this.#unchecked(login.person.checkedAt) };
  }

  revocations(): number {
    return this.#revocations;
  }

  personOf(claims: Claims): Person | Rejected {
    return personOf(claims, this.provider, this.#deps.groups);
  }

  /** A login for a browser; its id goes into a cookie. */
  startLogin({ tokens }: Grant, person: Person): Promise<string> {
    const now = this.#now();
    return this.#deps.logins.start((id) => ({
      expiresAt: now + sessionMs,
      person: { ...person, checkedAt: now, sealed: this.#sealTokens(id, tokens) },
    }));
  }

  tokensOf(id: string): Tokens | undefined {
    const person = this.#deps.logins.find(id)?.person;
    return person && unseal<Tokens>(keyFrom(id, 'login'), 'tokens', person.sealed);
  }

  readPass(token: string): PassContent | undefined {
    if (!token.startsWith(passPrefix)) return undefined;
    const pass = unseal<PassContent>(this.#deps.key, 'pass', token.slice(passPrefix.length));
    if (!pass || this.#endedPasses.has(pass.sid) || pass.startedAt <= this.#deps.loginsEndedAt()) return undefined;
    const until = Math.min(pass.checkedAt + this.#checkMs, pass.startedAt + sessionMs);
    return until > this.#now() ? pass : undefined;
  }

  makePass(content: PassContent): { token: string; until: number } {
    const until = Math.min(content.checkedAt + this.#checkMs, content.startedAt + sessionMs);
    return { token: `${passPrefix}${seal(this.#deps.key, 'pass', content)}`, until };
  }

  endPasses(sid: string): void {
    if (this.#endedPasses.size >= mostRemembered) this.#endedPasses.clear();
    this.#endedPasses.add(sid);
    this.#revocations += 1;
  }

  /** Logs once that the provider is away, and once that it is back. */
  noteAway(fault: ProviderFault | null): void {
    const { log } = this.#deps;
    if (fault === null && this.#awaySince !== null) {
      this.#awaySince = null;
      log.info({ provider: this.provider }, 'the sign-in provider answers again');
    } else if (fault !== null && this.#awaySince === null) {
      this.#awaySince = this.#now();
      const text = 'the sign-in provider does not answer: current sign-ins last only until they expire';
      log.warn({ provider: this.provider, why: fault.message }, text);
    }
  }

  /** Without this, a provider that is back would go unnoticed until the next person signs in. */
  async #lookForProvider(): Promise<void> {
    const isBack = await this.#deps.provider.inspect().then(
      () => true,
      () => false,
    );
    if (isBack) this.noteAway(null);
  }

  #ofPass(token: string): Identity | Refusal {
    const pass = this.readPass(token);
    return pass
      ? this.#identityOf(pass)
      : refuse('token_invalid', 'This sign-in is over. Use "signalbox login" again.');
  }

  #learnBearer(token: string): Promise<void> | undefined {
    const { isKnown } = this.#deps;
    if (token.startsWith(passPrefix) || token.length > mostTokenLength || isKnown(token)) return undefined;
    const hash = hashOf(token);
    const known = this.#bearers.get(hash);
    if (known && known.until > this.#now()) return undefined;
    const before = this.#asked.get(hash);
    if (before || this.#asked.size >= mostAsked) return before;
    const asking = this.#askAbout(token, hash).finally(() => this.#asked.delete(hash));
    this.#asked.set(hash, asking);
    return asking;
  }

  async #askAbout(token: string, hash: string): Promise<void> {
    const before = this.#bearers.get(hash);
    const learned = await this.#verify(token, before);
    if (before && 'kind' in before.answer && !('kind' in learned.answer)) this.#revocations += 1;
    this.#bearers.delete(hash);
    this.#bearers.set(hash, learned);
    const [oldest = hash] = this.#bearers.keys();
    if (this.#bearers.size > mostRemembered) this.#bearers.delete(oldest);
  }

  async #verify(token: string, before: Learned | undefined): Promise<Learned> {
    const { provider, isOwnAddress, checkMinutes } = this.#deps;
    const refused = (why: string): Learned => ({
      answer: refuse('token_invalid', `This access token is not accepted: ${why}.`),
      until: this.#now() + refusedMs,
    });
    try {
      const { claims, checked, exp, iat } = await provider.verify(token, isOwnAddress);
      this.noteAway(null);
      const person = this.personOf(claims);
      if (!isPerson(person))
        return { answer: refuse('scope_required', person.why, { scope: 'read' }), until: this.#now() + refusedMs };
      // Wall time, because the provider uses it too; the rest of this service uses its own clock.
      const seconds = Date.now() / 1000;
      const oldest = iat + checkMinutes * 60;
      if (!checked && oldest <= seconds)
        return refused(
          `it was issued more than ${checkMinutes} minutes ago, and ${this.provider} cannot be asked whether it is still valid; refresh it`,
        );
      const left = Math.min(exp, checked ? Number.POSITIVE_INFINITY : oldest) - seconds;
      return { answer: this.#identityOf(person), person, until: this.#now() + Math.min(left * 1000, this.#checkMs) };
    } catch (fault) {
      const how = fault instanceof ProviderFault ? fault : new ProviderFault('refused', String(fault));
      if (how.how !== 'away') return refused(how.message);
      this.noteAway(how);
      // A token that was valid before: it is accepted a little longer and checked again.
      if (before?.person) return { ...before, until: this.#now() + retryMs };
      return { ...refused(`${this.provider} cannot be asked (${how.message})`), until: this.#now() + 1_000 };
    }
  }

  #check(id: string, login: Login): Promise<void> | undefined {
    const { idHash } = login;
    const before = this.#checks.get(idHash);
    if (before) return before;
    if (this.#now() - (this.#triedAt.get(idHash) ?? Number.NEGATIVE_INFINITY) < retryMs) return undefined;
    this.#triedAt.set(idHash, this.#now());
    const checking = this.#askAgain(id, login).finally(() => this.#checks.delete(idHash));
    this.#checks.set(idHash, checking);
    return checking;
  }

  /** Ends a login whose person was removed at the provider, or is no longer in any group. */
  async #askAgain(id: string, login: Login & { person?: PersonLogin | undefined }): Promise<void> {
    const { logins, log } = this.#deps;
    const { person } = login;
    const tokens = this.tokensOf(id);
    if (!person || !tokens) return logins.end(id);
    // The login counts in this process even if it cannot be written.
    const stored = (written: Promise<void>) =>
      written.catch((err: unknown) => log.warn({ err }, 'cannot store a change of a login'));
    const over = (why: string) => {
      log.info({ person: person.name, why }, 'a sign-in was ended: the provider no longer answers for it');
      return stored(logins.end(id));
    };
    const renewed = (given: Grant['tokens']) =>
      stored(logins.change(id, { person: { ...person, sealed: this.#sealTokens(id, given) } }));
    try {
      const grant = await this.#askFor(tokens, person.sub, renewed);
      this.noteAway(null);
      const now = this.personOf(grant.claims);
      if (!isPerson(now) || now.name !== person.name)
        return await over(isPerson(now) ? 'the name has changed' : now.why);
      const isLess = person.scopes.some((scope) => !now.scopes.includes(scope));
      const checked = { ...now, checkedAt: this.#now(), sealed: this.#sealTokens(id, grant.tokens) };
      await stored(logins.change(id, { person: checked }));
      this.#triedAt.delete(login.idHash);
      if (isLess) this.#revocations += 1;
    } catch (fault) {
      if (fault instanceof ProviderFault && fault.how === 'away') this.noteAway(fault);
      else await over(fault instanceof Error ? fault.message : String(fault));
    }
  }

  async #askFor(tokens: Tokens, sub: string, renewed: (given: Grant['tokens']) => Promise<void>): Promise<Grant> {
    const { provider } = this.#deps;
    if (tokens.refresh !== undefined) {
      const withId = (given: Grant['tokens']) => ({ ...given, idToken: given.idToken ?? tokens.idToken });
      const grant = await provider.refresh(tokens.refresh, sub, (given) => renewed(withId(given)));
      return { ...grant, tokens: withId(grant.tokens) };
    }
    if (tokens.until <= this.#now())
      throw new ProviderFault('ended', 'the provider gave no refresh token, and its access token has expired');
    return { claims: await provider.claimsOf(tokens.access, sub), tokens };
  }

  #sealTokens(id: string, tokens: Grant['tokens']): string {
    const until = 'until' in tokens ? (tokens as Tokens).until : this.#now() + tokens.seconds * 1000;
    return seal(keyFrom(id, 'login'), 'tokens', { ...tokens, until } satisfies Tokens);
  }

  #unchecked(checkedAt: number): number | null {
    return this.#awaySince !== null && this.#now() - checkedAt >= this.#checkMs ? checkedAt : null;
  }

  #identityOf({ name, scopes }: Pick<Person, 'name' | 'scopes'>): Identity {
    return { kind: 'person', name, scopes, groups: this.#deps.groups };
  }

  #age({ checkedAt }: PersonLogin): number {
    return this.#now() - checkedAt;
  }

  #now(): number {
    return this.#deps.clock.wall();
  }
}

export const newSid = (): string => randomUUID();
