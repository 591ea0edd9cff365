import { expect } from 'vitest';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import type { AnyCommand } from '../../packages/service/src/kernel/command.ts';
import type { Started } from '../start.ts';
import { mcpTransport, newMcpClient, openSocket, restTransport, socketTransport } from '../transports.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
export type Body = any;
export type Door = 'rest' | 'mcp' | 'socket';
export type Caller = (name: string, input: object) => Promise<Body>;

/** Calls commands by name through one of the transports; a refusal is its problem object. */
export async function callThrough(service: Started, door: Door): Promise<Caller & AsyncDisposable> {
  const client = door === 'mcp' ? await newMcpClient(service.url) : undefined;
  const socket = door === 'socket' ? await openSocket(service.url) : undefined;
  const through = client ? mcpTransport(client) : socket ? socketTransport(socket) : restTransport(service);
  const call: Caller = async (name, input) => {
    const command = coordinationCommands.find((each) => each.name === name) ?? expect.fail(`no command ${name}`);
    return (await through(command as AnyCommand<never>, input as Record<string, unknown>)).body;
  };
  return Object.assign(call, {
    async [Symbol.asyncDispose]() {
      await client?.close();
      await socket?.[Symbol.asyncDispose]();
    },
  });
}
