import { expect, test } from 'vitest';
import { coordinationCommands } from '../packages/service/src/coordination/registry.ts';
import { problemOf } from '../packages/service/src/edge/problem.ts';
import type { AnyCommand, Example } from '../packages/service/src/kernel/command.ts';
import { dispatch } from '../packages/service/src/kernel/dispatch.ts';
import { isDocument } from '../packages/service/src/kernel/document.ts';
import { ListPage } from '../packages/service/src/kernel/list.ts';
import { isRefusal } from '../packages/service/src/kernel/outcome.ts';
import { type Started, start } from './start.ts';
import {
  mcpTransport,
  newMcpClient,
  oldMcpClient,
  openSocket,
  restTransport,
  socketTransport,
  type Transport,
} from './transports.ts';

const commands = coordinationCommands as readonly AnyCommand<never>[];

/** Commands that REST or MCP lacks by design; a socket has every command. */
const restOnly: string[] = [
  'plan_document',
  'simulate_plan',
  'eject_run',
  'eject_runs',
  'list_suites',
  'suite_badge',
  'list_tests',
  'test_history',
  'run_attachment',
  'event_model_diagram',
  'unsaved_work',
  'agent_hook',
  'send_observations',
  'list_changes',
  'rehearse_merges',
  'accept_history',
  'list_hosts',
  'list_activity',
  'list_tokens',
  'create_token',
  'revoke_token',
  'end_logins',
  'list_audit',
  'list_webhooks',
  'list_deliveries',
  'redeliver_webhook',
  'test_webhooks',
];
const mcpOnly: string[] = ['await_dependencies', 'await_node', 'failing_tests', 'flaky_tests', 'await_run'];

const directDoor =
  ({ running }: Started): Transport =>
  async (command, input) => {
    const answer = await dispatch(command, running.coordination.ctx as never, input, { transport: 'direct' });
    if (isRefusal(answer)) return { refused: true, body: problemOf(answer) };
    if (isDocument(answer)) return { refused: false, body: answer.body };
    return { refused: false, body: JSON.parse(JSON.stringify(answer instanceof ListPage ? answer.items : answer)) };
  };

const byName = new Map(commands.map((command) => [command.name, command]));
const named = (name: string) => byName.get(name) ?? expect.fail(`no command ${name}`);

const doors = {
  direct: async (service: Started) => ({ door: directDoor(service), close: async () => undefined }),
  rest: async (service: Started) => ({ door: restTransport(service), close: async () => undefined }),
  socket: async (service: Started) => {
    const socket = await openSocket(service.url);
    return { door: socketTransport(socket), close: () => socket[Symbol.asyncDispose]() };
  },
  mcp: async (service: Started) => {
    const client = await newMcpClient(service.url);
    return { door: mcpTransport(client), close: () => client.close() };
  },
  'mcp of the generation before': async (service: Started) => {
    const client = await oldMcpClient(service.url);
    return { door: mcpTransport(client), close: () => client.close() };
  },
};
type DoorName = keyof typeof doors;

const doorsOf = ({ rest, mcp }: AnyCommand<never>): DoorName[] => [
  'direct',
  'socket',
  ...(rest ? (['rest'] as const) : []),
  ...(mcp === false ? [] : (['mcp', 'mcp of the generation before'] as const)),
];

type Input = Record<string, unknown>;

/** The answer of a read or a refusal through each transport; neither changes anything, so one service serves them all. */
async function askAll(command: AnyCommand<never>, { given = [], input }: Example, names: readonly DoorName[]) {
  await using service = await start();
  const direct = directDoor(service);
  for (const [name, before] of given) await direct(named(name), before as Input);
  const told = new Map<DoorName, unknown>();
  for (const name of names) {
    const { door, close } = await doors[name](service);
    told.set(name, await door(command, input as Input));
    await close();
  }
  return told;
}

test('every command has examples, and a door is missing only by design', () => {
  expect(commands.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
  expect(commands.filter(({ mcp }) => mcp === false).map(({ name }) => name)).toEqual(restOnly);
  expect(commands.filter(({ rest }) => !rest).map(({ name }) => name)).toEqual(mcpOnly);
});

for (const command of commands) {
  test(`${command.name} answers every example as it says, and the same through every door`, async () => {
    for (const [at, example] of command.examples.entries()) {
      // The client of the previous generation uses the same code as the new one, so once for each command is enough.
      const names = doorsOf(command).filter((name) => at === 0 || name !== 'mcp of the generation before');
      const isTraceless = command.effect === 'read' || example.refused !== undefined;
      const rounds = isTraceless ? [names] : names.map((name) => [name]);
      const told = new Map<DoorName, unknown>();
      for (const round of rounds) {
        for (const [name, answer] of await askAll(command, example, round)) told.set(name, answer);
      }
      const first = told.get('direct') as { body: { code?: string }; refused: boolean };
      expect.soft(first.refused ? first.body.code : undefined, example.title).toBe(example.refused);
      for (const [name, answer] of told) expect.soft(answer, `${example.title}, ${name}`).toEqual(first);
    }
  });
}
