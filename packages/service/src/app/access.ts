import { Authenticator } from '../edge/authenticator.ts';
import { type Revocations, watchRevocations } from '../edge/revocations.ts';
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
  tls: ReturnType<typeof readTls> | undefined;
  stop(): void;
};

export function openAccess({ config, clock, log }: { config: Config; clock: Clock; log: Logger }): Access {
  const tls = tlsOf(config);
  const { token, dataPath, auditDays: days } = config;
  const authenticator = new Authenticator({ token, clock, loginStore: loginFile(dataPath) });
  const warn = (details: object, text: string) => log.warn(details, text);
  const audit = new AuditTrail({ dataPath, clock, days, warn });
  const revocations = watchRevocations(authenticator, clock);
  const stop = () => {
    revocations.stop();
    audit.stop();
  };
  return { authenticator, audit, revocations, tls, stop };
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
