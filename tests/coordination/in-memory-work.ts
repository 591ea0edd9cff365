import { expect } from 'vitest';
import type { CoordinationContext } from '../../packages/service/src/coordination/coordination-context.ts';
import type { PlanFiles } from '../../packages/service/src/coordination/plans/ports.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import {
  type ClaimLinks,
  noSessions,
  type SessionLookup,
} from '../../packages/service/src/coordination/work/claim-session.ts';
import { openWork } from '../../packages/service/src/coordination/work/open-work.ts';
import { dispatch } from '../../packages/service/src/kernel/dispatch.ts';
import type { EventLog } from '../../packages/service/src/kernel/event-log.ts';
import { ListPage } from '../../packages/service/src/kernel/list.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { createMemoryLog } from '../../testing/memory-log.ts';
import { createSettableClock, type SettableClock } from '../../testing/settable-clock.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
type Answer = any;

export type InMemoryWork = {
  ctx: CoordinationContext;
  log: EventLog;
  clock: SettableClock;
  /** The answer of a command; a refusal is the Refusal itself. */
  call(name: string, input: object): Promise<Answer>;
  /** The code of its refusal; undefined if it is not refused. */
  refusal(name: string, input: object): Promise<string | undefined>;
};

type InMemoryWorkDeps = {
  files?: PlanFiles;
  sessions?: Partial<SessionLookup>;
  links?: ClaimLinks;
  log?: EventLog;
  clock?: SettableClock;
};

/** Plans and the work loop on a log in memory, called as the transports call them. */
export async function openInMemoryWork({
  clock = createSettableClock(),
  files,
  ...parts
}: InMemoryWorkDeps = {}): Promise<InMemoryWork> {
  const log = parts.log ?? createMemoryLog(clock);
  const work = await openWork({ clock, ...parts, log, sessions: { ...noSessions, ...parts.sessions } });
  const ctx = { ...work, files } as CoordinationContext;
  const call = async (name: string, input: object): Promise<Answer> => {
    const command = coordinationCommands.find((each) => each.name === name) ?? expect.fail(`no command ${name}`);
    const answer = await dispatch(command, ctx, input, { transport: 'direct' });
    return answer instanceof ListPage ? answer.items : answer;
  };
  const refusal = async (name: string, input: object) => {
    const answer = await call(name, input);
    return isRefusal(answer) ? answer.code : undefined;
  };
  return { ctx, log, clock, call, refusal };
}
