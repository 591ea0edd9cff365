import { expect } from 'vitest';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

/**
 * A high estimate: models use one token for most English words; here longer words count one for each six letters,
 * numbers one for three digits, and every sequence of punctuation one.
 */
const tokensIn = (text: string): number => text.match(/\p{L}{1,6}|\d{1,3}|[^\p{L}\d\s]+/gu)?.length ?? 0;

type Result = { content: Array<{ text: string }> };

verifies(
  ['mcp:tools-list-size', 'mcp:work-tools-only'],
  'the tools cost an agent under 24 KB, the work tools alone under 6 KB, and a whole loop under 1,200 tokens of answers',
  async () => {
    await using service = await start();
    const all = await newMcpClient(service.url);
    const work = await newMcpClient(service.url, '/api/mcp?tools=work');
    expect(JSON.stringify(await all.listTools()).length).toBeLessThan(24 * 1024);
    const tools = await work.listTools();
    expect(JSON.stringify(tools).length).toBeLessThan(6 * 1024);
    expect(tools.tools.map(({ name }) => name).sort()).toEqual([
      'await_dependencies',
      'await_node',
      'claim_next',
      'claim_node',
      'next_ready_nodes',
      'release_node',
      'report_node',
      'split_node',
    ]);
    const description = 'What there is to do, in a few sentences that an author would write. '.repeat(3);
    const nodes = Array.from({ length: 6 }, (_, index) => ({
      id: `node-${index}`,
      title: `Do the work of part ${index}`,
      description,
    }));
    await service.call('POST', '/api/plans', { plan: 'cost', nodes });
    const at = { plan: 'cost', node: 'node-0', agent: 'ada' };
    let tokens = 0;
    for (const [name, input] of [
      ['next_ready_nodes', { limit: 5 }],
      ['claim_node', at],
      ['report_node', { ...at, note: 'half way: the parser reads, the errors are left to do' }],
      ['release_node', at],
    ] as const) {
      const { content } = (await work.callTool({ name, arguments: input })) as Result;
      tokens += tokensIn(content[0]?.text ?? '');
    }
    expect(tokens).toBeLessThan(1_200);
    await all.close();
    await work.close();
  },
);

verifies(
  'mcp:output-schemas',
  'tools are listed with what they answer only where the address asks for it, and their answers fit it',
  async () => {
    await using service = await start();
    const plain = await newMcpClient(service.url);
    expect((await plain.listTools()).tools.filter(({ outputSchema }) => outputSchema)).toEqual([]);
    await plain.close();
    const client = await newMcpClient(service.url, '/api/mcp?schemas=true');
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object')).toEqual([]);
    const document = { plan: 'p', nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] };
    // The client refuses an answer that does not match.
    for (const [name, input] of [
      ['create_plan', { document, dryRun: true }],
      ['create_plan', { document, view: 'full' }],
      ['plan_status', { plan: 'p' }],
      ['plan_status', { plan: 'p', view: 'full' }],
      ['list_plans', {}],
      ['next_ready_nodes', {}],
      ['claim_node', { ref: 'p/a', agent: 'ada' }],
      ['claim_node', { ref: 'p/a', agent: 'bob' }],
      ['report_node', { ref: 'p/a', agent: 'ada', note: 'half way' }],
      ['release_node', { ref: 'p/a', agent: 'ada', outcome: 'submitted' }],
      ['node_status', { ref: 'p/a' }],
      ['plan_history', { plan: 'p', maxBytes: 600 }],
      ['list_agents', {}],
      ['list_repositories', {}],
      ['list_runs', {}],
      ['flaky_tests', {}],
      ['list_needs', {}],
      ['activity_report', {}],
      ['remove_node', { ref: 'p/b' }],
    ] as const) {
      const { isError = false } = (await client.callTool({ name, arguments: input })) as { isError?: boolean };
      expect.soft(isError, name).toBe(false);
    }
    await client.close();
  },
);
