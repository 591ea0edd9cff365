import { expect, test } from 'vitest';
import { coordinationCommands } from '../packages/service/src/coordination/registry.ts';
import { problemOf } from '../packages/service/src/edge/problem.ts';
import type { AnyCommand } from '../packages/service/src/kernel/command.ts';
import { dispatch } from '../packages/service/src/kernel/dispatch.ts';
import { Listed } from '../packages/service/src/kernel/list.ts';
import { isRefusal } from '../packages/service/src/kernel/outcome.ts';
import { type Door, mcpDoor, newMcpClient, oldMcpClient, restDoor } from './doors.ts';
import { type Started, start } from './start.ts';

const commands = coordinationCommands as readonly AnyCommand<never>[];

/** What has one door only, by design; anything else with one door is a mistake. */
const restOnly: string[] = [];
const mcpOnly: string[] = [];

const directDoor =
  ({ running }: Started): Door =>
  async (command, input) => {
    const answer = await dispatch(command, running.coordination.ctx as never, input, { door: 'direct' });
    if (isRefusal(answer)) return { refused: true, body: problemOf(answer) };
    return { refused: false, body: JSON.parse(JSON.stringify(answer instanceof Listed ? answer.items : answer)) };
  };

const byName = new Map(commands.map((command) => [command.name, command]));
const named = (name: string) => byName.get(name) ?? expect.fail(`no command ${name}`);

/** Every example of every command, in order, on a service of its own; commands without this door go the direct way. */
async function answersThrough(
  open: (
    service: Started,
  ) => Promise<{ door: Door; close?: () => Promise<void>; has: (command: AnyCommand<never>) => boolean }>,
) {
  const answers: Record<string, unknown> = {};
  for (const command of commands) {
    for (const example of command.examples) {
      await using service = await start();
      const { door, close, has } = await open(service);
      const direct = directDoor(service);
      const through = (one: AnyCommand<never>) => (has(one) ? door : direct);
      for (const [name, input] of example.given ?? [])
        await through(named(name))(named(name), input as Record<string, unknown>);
      answers[`${command.name}: ${example.title}`] = await through(command)(
        command,
        example.input as Record<string, unknown>,
      );
      await close?.();
    }
  }
  return answers;
}

const direct = () => answersThrough(async (service) => ({ door: directDoor(service), has: () => true }));

test('every command has examples, and one door only by design', () => {
  expect(commands.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
  expect(commands.filter(({ mcp }) => mcp === false).map(({ name }) => name)).toEqual(restOnly);
  expect(commands.filter(({ rest }) => !rest).map(({ name }) => name)).toEqual(mcpOnly);
});

test('every example is refused or answered as it says', async () => {
  const answers = await direct();
  for (const command of commands) {
    for (const { title, refused } of command.examples) {
      const { body, refused: was } = answers[`${command.name}: ${title}`] as {
        body: { code?: string };
        refused: boolean;
      };
      expect.soft(was ? body.code : undefined, `${command.name}: ${title}`).toBe(refused);
    }
  }
});

test('REST answers as the handler does', async () => {
  expect(
    await answersThrough(async (service) => ({ door: restDoor(service), has: (one) => one.rest !== undefined })),
  ).toEqual(await direct());
});

test('MCP answers as the handler does, to clients of both generations', async () => {
  const through = (connect: typeof newMcpClient | typeof oldMcpClient) =>
    answersThrough(async (service) => {
      const client = await connect(service.url);
      return { door: mcpDoor(client), close: () => client.close(), has: (one) => one.mcp !== false };
    });
  const expected = await direct();
  expect(await through(newMcpClient)).toEqual(expected);
  expect(await through(oldMcpClient)).toEqual(expected);
});
