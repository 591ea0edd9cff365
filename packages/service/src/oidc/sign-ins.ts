import { randomBytes } from 'node:crypto';
import type { SignInEnd, SignInStart, SignIns } from '../edge/people.ts';
import type { DeviceAnswer, Pass } from '../kernel/access.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/outcome.ts';
import { newSid, type PassContent, type PeopleDeps, SignedInPeople, sessionMs } from './people.ts';
import { isPerson, type Person } from './person.ts';
import type { CodeRequest, Grant } from './provider.ts';
import { ProviderFault } from './provider-fault.ts';
import { seal, unseal } from './sealed.ts';

const callbackPath = '/api/sign-in/callback';

/** How long a person may take at the provider. */
const transactionMs = 10 * 60_000;
const mostUsedStates = 10_000;
const wordsMs = 60_000;

type Transaction = CodeRequest & { to: string; startedAt: number };
type Device = { deviceCode: string; until: number };
/** The token that renews a pass: only this service can decrypt it, so a stolen file is useless elsewhere. */
type Renewal = PassContent & { refresh: string | undefined };

const draw = (): string => randomBytes(32).toString('base64url');

/** Signing in: in a browser by a code with PKCE, on a command line by a device code. */
export function openSignIns(deps: PeopleDeps & { issuer: string }): SignIns & { people: SignedInPeople } {
  const people = new SignedInPeople(deps);
  return { people, issuer: deps.issuer, ...inBrowser(deps, people), ...onCommandLine(deps, people) };
}

/** The message for a failed sign-in. */
function wordsOf(fault: unknown, people: SignedInPeople): string {
  if (!(fault instanceof ProviderFault)) throw fault;
  if (fault.how !== 'away') return `${people.provider} did not accept the sign-in (${fault.message}).`;
  people.noteAway(fault);
  return `${people.provider} cannot be reached from here (${fault.message}). Try again later, or ask the operator of this service.`;
}

function inBrowser(
  { provider, clock, key }: PeopleDeps,
  people: SignedInPeople,
): Pick<SignIns, 'start' | 'finish' | 'sealText' | 'unsealText' | 'logoutUrl'> {
  const used = new UsedStates(clock);
  return {
    async start(origin, to): Promise<SignInStart | Refusal> {
      const request = { redirectUri: `${origin}${callbackPath}`, state: draw(), nonce: draw(), verifier: draw() };
      try {
        const { href: location } = await provider.authorizationUrl(request);
        const transaction: Transaction = { ...request, to: ownPath(to), startedAt: clock.wall() };
        return { location, transaction: seal(key, 'transaction', transaction) };
      } catch (fault) {
        return refuse('host_unavailable', wordsOf(fault, people));
      }
    },
    async finish(origin, answer, sealed): Promise<SignInEnd> {
      const begun = sealed === undefined ? undefined : unseal<Transaction>(key, 'transaction', sealed);
      const isBegun = begun && begun.redirectUri === `${origin}${callbackPath}` && answer.get('state') === begun.state;
      if (!isBegun || begun.startedAt + transactionMs < clock.wall() || !used.take(begun.state))
        return { to: '/', refused: 'This sign-in was not started in this browser, or took too long. Sign in again.' };
      const { to } = begun;
      try {
        const grant = await provider.exchange(answer, begun);
        people.noteAway(null);
        const person = people.personOf(grant.claims);
        if (!isPerson(person)) return { to, refused: person.why };
        return { to, login: await people.startLogin(grant, person), name: person.name, seconds: sessionMs / 1000 };
      } catch (fault) {
        return { to, refused: wordsOf(fault, people) };
      }
    },
    sealText: (words) => seal(key, 'words', { words, until: clock.wall() + wordsMs }),
    unsealText(sealed) {
      const found = unseal<{ words: string; until: number }>(key, 'words', sealed);
      return found && found.until > clock.wall() ? found.words : undefined;
    },
    async logoutUrl(login, origin) {
      const tokens = people.tokensOf(login);
      if (!tokens) return null;
      if (tokens.refresh !== undefined) void provider.revoke(tokens.refresh);
      return provider.logoutUrl(tokens.idToken, `${origin}/`);
    },
  };
}

function onCommandLine(
  deps: PeopleDeps,
  people: SignedInPeople,
): Pick<SignIns, 'startDevice' | 'pollDevice' | 'renew' | 'endPass'> {
  const { provider, clock, key } = deps;
  const passes = new Passes(deps, people);
  return {
    async startDevice(): Promise<DeviceAnswer | Refusal> {
      try {
        const { deviceCode, ...started } = await provider.startDevice();
        const until = clock.wall() + started.expiresIn * 1000;
        return { ...started, device: seal(key, 'device', { deviceCode, until } satisfies Device) };
      } catch (fault) {
        return refuse('host_unavailable', wordsOf(fault, people));
      }
    },
    async pollDevice(sealed) {
      const device = unseal<Device>(key, 'device', sealed);
      if (!device || device.until <= clock.wall())
        return refuse('token_invalid', 'This sign-in took too long. Start again.');
      try {
        const grant = await provider.pollDevice(device.deviceCode);
        return typeof grant === 'string' ? grant : passes.first(grant);
      } catch (fault) {
        return refuse('token_invalid', wordsOf(fault, people));
      }
    },
    renew: (renewal) => passes.renew(renewal),
    endPass: (renewal) => passes.end(renewal),
  };
}

/** Passes of the command line, which stores the token that renews them. */
class Passes {
  readonly #deps: PeopleDeps;
  readonly #people: SignedInPeople;

  constructor(deps: PeopleDeps, people: SignedInPeople) {
    this.#deps = deps;
    this.#people = people;
  }

  first(grant: Grant): Pass | Refusal {
    const person = this.#people.personOf(grant.claims);
    if (!isPerson(person)) return refuse('scope_required', person.why, { scope: 'read' });
    const now = this.#deps.clock.wall();
    return this.#make({ sid: newSid(), ...person, startedAt: now, checkedAt: now, refresh: grant.tokens.refresh });
  }

  async renew(sealed: string): Promise<Pass | Refusal> {
    const { provider, clock, loginsEndedAt } = this.#deps;
    const renewal = unseal<Renewal>(this.#deps.key, 'renewal', sealed);
    const isOver = !renewal || renewal.startedAt + sessionMs <= clock.wall() || renewal.startedAt <= loginsEndedAt();
    if (isOver || renewal.refresh === undefined) return over('This sign-in is over');
    let refresh: string | undefined = renewal.refresh;
    const renewed = async (tokens: Grant['tokens']) => {
      refresh = tokens.refresh;
    };
    try {
      const grant = await provider.refresh(renewal.refresh, renewal.sub, renewed);
      this.#people.noteAway(null);
      const person: Person | { why: string } = this.#people.personOf(grant.claims);
      if (!isPerson(person)) return refuse('scope_required', person.why, { scope: 'read' });
      if (person.name !== renewal.name) return over('The provider now gives you another name');
      return this.#make({ ...renewal, ...person, checkedAt: clock.wall(), refresh: grant.tokens.refresh });
    } catch (fault) {
      if (!(fault instanceof ProviderFault)) throw fault;
      if (fault.how !== 'away') return over(`${provider.host} ended this sign-in (${fault.message})`);
      this.#people.noteAway(fault);
      // The provider does not answer: the last known state counts, at most until the sign-in ends.
      return this.#make({ ...renewal, refresh, checkedAt: clock.wall() });
    }
  }

  async end(sealed: string): Promise<string | undefined> {
    const renewal = unseal<Renewal>(this.#deps.key, 'renewal', sealed);
    if (!renewal) return undefined;
    this.#people.endPasses(renewal.sid);
    if (renewal.refresh !== undefined) await this.#deps.provider.revoke(renewal.refresh);
    return renewal.name;
  }

  #make({ refresh, ...content }: Renewal): Pass {
    const { token, until } = this.#people.makePass(content);
    const renewal = seal(this.#deps.key, 'renewal', { ...content, refresh } satisfies Renewal);
    return { name: content.name, token, expiresAt: iso(until), renewal };
  }
}

const over = (why: string): Refusal => refuse('token_invalid', `${why}. Use "signalbox login" again.`);

/** Each state is accepted once. */
class UsedStates {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(state: string): boolean {
    const now = this.#clock.wall();
    for (const [one, until] of this.#until)
      if (until <= now || this.#until.size > mostUsedStates) this.#until.delete(one);
    if (this.#until.has(state)) return false;
    this.#until.set(state, now + transactionMs);
    return true;
  }
}

/** An address within this service; any other address, however it is spelled, becomes the front page. */
export function ownPath(to: string): string {
  const base = 'http://page.invalid';
  const url = URL.parse(to, base);
  if (url?.origin !== base || !to.startsWith('/') || url.pathname.startsWith('//') || url.pathname.startsWith('/api/'))
    return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
