import { expect, test } from 'vitest';
import { createMemoryLog } from '../../../../testing/memory-log.ts';
import { createSettableClock } from '../../../../testing/settable-clock.ts';
import type { AnyCommand } from '../kernel/command.ts';
import { dispatch } from '../kernel/dispatch.ts';
import { isRefusal } from '../kernel/outcome.ts';
import { planAuthoring } from './plans/authoring-commands.ts';
import { planReads } from './plans/commands.ts';
import type { PlansContext } from './plans/context.ts';
import { nodeAuthoring } from './plans/node-commands.ts';
import { awaitCommands } from './work/await-commands.ts';
import { workLoop } from './work/commands.ts';
import { openWork } from './work/open-work.ts';
import { statusCommands } from './work/status-commands.ts';
import type { WorkContext } from './work/work-context.ts';

const commands: readonly AnyCommand<WorkContext & PlansContext>[] = [
  ...workLoop,
  ...awaitCommands,
  ...planReads,
  ...statusCommands,
  ...planAuthoring,
  ...nodeAuthoring,
];

async function service() {
  const clock = createSettableClock();
  const ctx = await openWork({ log: createMemoryLog(clock), clock });
  return (name: string, input: object) => {
    const command = commands.find((each) => each.name === name);
    if (!command) throw new Error(`no command ${name}`);
    return dispatch(command, ctx, input, { transport: 'direct' });
  };
}

for (const command of commands) {
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
