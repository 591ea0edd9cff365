import { expect, test } from 'vitest';
import { createAnnouncements } from '../kernel/announce.ts';
import { dispatch } from '../kernel/dispatch.ts';
import { isRefusal } from '../kernel/outcome.ts';
import { createMemoryLog } from '../store/memory/event-log.ts';
import { createSettableClock } from '../store/settable-clock.ts';
import { createAgentWatch } from './agents/watch.ts';
import { coordinationCommands } from './registry.ts';
import { createBoard } from './work/board.ts';
import { openWork } from './work/context.ts';

async function service() {
  const clock = createSettableClock();
  const work = await openWork({ log: createMemoryLog(clock), clock });
  const announcements = createAnnouncements();
  const nowhere = { locate: async () => expect.fail('nothing to locate'), worktreesOf: async () => [] };
  const fault = (error: unknown) => expect.fail(String(error));
  const watch = createAgentWatch({ host: 'box', sources: [], probe: nowhere, clock, announcements, fault });
  const agents = createBoard({ work, watch, clock, runsOf: () => [] });
  const ctx = { ...work, announcements, agents };
  return (name: string, input: object) => {
    const command = coordinationCommands.find((each) => each.name === name);
    if (!command) throw new Error(`no command ${name}`);
    return dispatch(command, ctx, input, { door: 'direct' });
  };
}

for (const command of coordinationCommands) {
  for (const { title, given = [], input, refused } of command.examples) {
    test(`${command.name}: ${title}`, async () => {
      const call = await service();
      for (const [name, prior] of given) expect(isRefusal(await call(name, prior))).toBe(false);
      const answer = await call(command.name, input);
      expect(isRefusal(answer) ? answer.code : undefined).toBe(refused);
      if (!refused) expect(() => command.output.parse(answer)).not.toThrow();
    });
  }
}
