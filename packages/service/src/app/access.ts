import { join } from 'node:path';
import { z } from 'zod';
import type { Trust } from '../edge/admission.ts';
import { Authenticator, type Revocations, watchRevocations } from '../edge/authenticator.ts';
import { type Login, type LoginStore, Logins } from '../edge/logins.ts';
import type { SignIns } from '../edge/people.ts';
import { readTls } from '../edge/tls-files.ts';
import { writeAtomically } from '../files/durable-file.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { scopes } from '../kernel/access.ts';
import type { Clock } from '../kernel/clock.ts';
import { errorMessage } from '../kernel/error-code.ts';
import { SerialQueue } from '../kernel/one-at-a-time.ts';
import type { ArrivalClock } from './arrival-clock.ts';
import { AuditTrail } from './audit-trail.ts';
import { BadConfig } from './bad-config.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/** Access control of both ports, and its audit. */
export type Access = {
  authenticator: Authenticator;
  audit: AuditTrail;
  revocations: Revocations;
  /** Undefined without a sign-in provider. */
  signIns: SignIns | undefined;
  tls: ReturnType<typeof readTls> | undefined;
  stop(): void;
};

type AccessDeps = { config: Config; clock: Clock; arrivals: ArrivalClock; log: Logger; trust: Trust };

export async function openAccess(deps: AccessDeps): Promise<Access> {
  const { config, clock, log } = deps;
  // Ending all logins of a team uses the time of the store.
  const storeClock = deps.arrivals.clock;
  const tls = tlsOf(config);
  const { token, dataPath, auditDays: days } = config;
  const logins = new Logins(storeClock, loginFile(dataPath), config.hostName);
  const authenticator = new Authenticator({ token, clock: storeClock, logins });
  // Loaded only if needed: most installations have no sign-in.
  const oidc =
    config.oidc &&
    (await import('./open-oidc.ts')).openOidc(config.oidc, authenticator, { ...deps, clock: storeClock });
  const warn = (details: object, text: string) => log.warn(details, text);
  const audit = new AuditTrail({ dataPath, clock, days, warn });
  const revocations = watchRevocations(authenticator, clock);
  const stop = () => {
    oidc?.stop();
    revocations.stop();
    audit.stop();
  };
  return { authenticator, audit, revocations, signIns: oidc?.signIns, tls, stop };
}

function tlsOf({ tls }: Config): Access['tls'] {
  if (tls === undefined) return undefined;
  try {
    return readTls(tls);
  } catch (fault) {
    const why = errorMessage(fault);
    throw new BadConfig(
      `The TLS certificate cannot be used: ${why}. Check the files of Service:TlsCert and Service:TlsKey.`,
    );
  }
}

const mostBytes = 16 * 1024 * 1024;

const person = z.object({
  sub: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  checkedAt: z.number(),
  sealed: z.string(),
});
const logins = z.array(
  z.object({
    idHash: z.string(),
    tokenHash: z.string().optional(),
    person: person.optional(),
    startedAt: z.number(),
    expiresAt: z.number(),
  }),
);

/** The logins of this host's browsers, as hashes. An unreadable file counts as missing: users log in again. */
function loginFile(dataPath: string): LoginStore {
  const path = join(dataPath, 'logins.json');
  const queue = new SerialQueue();
  return {
    read(): readonly Login[] {
      try {
        return logins.parse(JSON.parse(readPlainFile(path, mostBytes).toString('utf8')));
      } catch {
        return [];
      }
    },
    write: (all) => queue.run(() => writeAtomically(path, JSON.stringify(all))),
  };
}
