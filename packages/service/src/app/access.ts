import { Authenticator } from '../edge/authenticator.ts';
import { Logins } from '../edge/logins.ts';
import type { SignIns } from '../edge/people.ts';
import { type Revocations, watchRevocations } from '../edge/revocations.ts';
import type { Trust } from '../edge/safety.ts';
import { readTls } from '../edge/tls-files.ts';
import type { Clock } from '../kernel/clock.ts';
import { errorMessage } from '../kernel/error-code.ts';
import { AuditTrail } from './audit-trail.ts';
import { BadConfig } from './bad-config.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { loginFile } from './login-file.ts';

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

export async function openAccess(deps: { config: Config; clock: Clock; log: Logger; trust: Trust }): Promise<Access> {
  const { config, clock, log } = deps;
  const tls = tlsOf(config);
  const { token, dataPath, auditDays: days } = config;
  const logins = new Logins(clock, loginFile(dataPath), config.hostName);
  const authenticator = new Authenticator({ token, clock, logins });
  // Loaded only if needed: most installations have no sign-in.
  const oidc = config.oidc && (await import('./open-oidc.ts')).openOidc(config.oidc, authenticator, deps);
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
