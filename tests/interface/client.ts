import { type Answer, type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';

export type Door = 'rest' | 'mcp';
type Loop = (what: 'claim' | 'report' | 'release', plan: string, node: string, body: object) => Promise<Reply>;
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
export type Reply = { status: number; body: any };

/** A client written from the interface document alone: its paths, its members, and nothing else. */
export async function openInterface(settings: Record<string, string> = {}) {
  const service = await start({ settings: { OrphanSeconds: '100000', ...settings } });
  const mcp = await newMcpClient(service.url);
  const tool = async (name: string, args: object = {}): Promise<Reply> => {
    const answer = (await mcp.callTool({ name, arguments: { ...args } })) as { structuredContent: Reply['body'] };
    const body = answer.structuredContent;
    const isConflict = body.claimed === false && 'heldBy' in body;
    const refused = typeof body.status === 'number' ? body.status : 200;
    return { status: isConflict ? 409 : refused, body };
  };
  const overRest: Loop = (what, plan, node, body) =>
    service.call('POST', `/api/plans/${plan}/nodes/${node}/${what}`, body);
  const overMcp: Loop = (what, plan, node, body) => tool(`${what}_node`, { plan, node, ...body });
  return {
    ...service,
    tool,
    /** The work loop through both transports. */
    doors: { rest: overRest, mcp: overMcp } satisfies Record<Door, Loop>,
    get: (path: string): Promise<Answer> => service.call('GET', path),
    status: async (plan: string, node: string) =>
      (await service.call('GET', `/api/plans/${plan}/status`)).body.nodes.find(({ id }: { id: string }) => id === node),
    ingest: async (events: readonly object[]) => (await service.console('POST', '/api/ingest', { events })).body,
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await service[Symbol.asyncDispose]();
    },
  } satisfies Record<string, unknown> & AsyncDisposable & Partial<Started>;
}

export type InterfaceClient = Awaited<ReturnType<typeof openInterface>>;
