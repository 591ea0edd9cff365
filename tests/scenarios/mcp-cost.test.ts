import { expect } from 'vitest';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

type Result = { content: Array<{ text: string }> };

verifies(
  ['mcp:tools-list-size', 'mcp:work-tools-only'],
  'the tools cost an agent under 28 KB, the work tools alone under 6 KB, and a whole loop under 8 KB of text',
  async () => {
    await using service = await start();
    const all = await newMcpClient(service.url);
    const work = await newMcpClient(service.url, '/api/mcp?tools=work');
    expect(JSON.stringify(await all.listTools()).length).toBeLessThan(28 * 1024);
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
    ]);
    const description = 'What there is to do, in a few sentences that an author would write. '.repeat(3);
    const nodes = Array.from({ length: 6 }, (_, index) => ({
      id: `node-${index}`,
      title: `Do the work of part ${index}`,
      description,
    }));
    await service.call('POST', '/api/plans', { plan: 'cost', nodes });
    const at = { plan: 'cost', node: 'node-0', agent: 'ada' };
    let bytes = 0;
    for (const [name, input] of [
      ['next_ready_nodes', { limit: 3 }],
      ['claim_node', at],
      ['report_node', { ...at, note: 'half way: the parser reads, the errors are left to do' }],
      ['release_node', at],
    ] as const) {
      const { content } = (await work.callTool({ name, arguments: input })) as Result;
      bytes += Buffer.byteLength(content[0]?.text ?? '');
    }
    expect(bytes).toBeLessThan(8 * 1024);
    await all.close();
    await work.close();
  },
);
