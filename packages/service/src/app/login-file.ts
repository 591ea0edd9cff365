import { join } from 'node:path';
import { z } from 'zod';
import type { Login, LoginStore } from '../edge/logins.ts';
import { writeAtomically } from '../files/durable-file.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { scopes } from '../kernel/access.ts';
import { SerialQueue } from '../kernel/one-at-a-time.ts';

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
export function loginFile(dataPath: string): LoginStore {
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
