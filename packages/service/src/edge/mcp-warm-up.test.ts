import { createMcpHandler, type McpHttpHandler, Server } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { warmUpSteps } from './mcp-warm-up.ts';

const anything = { name: 'any', version: '1' };

function anyHandler(): McpHttpHandler {
  return createMcpHandler(() => {
    const server = new Server(anything, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    return server;
  });
}

test('the messages that warm MCP up are ones that clients of both generations send, and each is answered', async () => {
  const handler = anyHandler();
  const answers: Array<[number, boolean]> = [];
  const send = async (request: Request, parsedBody: unknown) => {
    const answer = await handler.fetch(request, { parsedBody });
    answers.push([answer.status, (await answer.clone().text()).includes('"result"')]);
    return answer;
  };
  for (const step of warmUpSteps(send, [])) await step();
  expect(answers).toEqual(Array(5).fill([200, true]));
  await handler.close();
});
