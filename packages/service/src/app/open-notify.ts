import type { Board, Session } from '../coordination/agents/contract.ts';
import type { CoordinationContext } from '../coordination/coordination-context.ts';
import { createWebhook } from '../coordination/notify/io/webhook.ts';
import type { ContestedTree, ReadyNode, WorkSnapshot } from '../coordination/notify/ports.ts';
import { watchForNotifications } from '../coordination/notify/watch.ts';
import { coordinationCommands } from '../coordination/registry.ts';
import type { ServiceDeps } from './port.ts';

/** Notifications to `Service:Notify`, where it is set; answers how to stop them. */
export function openNotify({ config, clock, announcements, log }: ServiceDeps, ctx: CoordinationContext): () => void {
  const { notify: url, notifySecret: secret, hostName: host } = config;
  if (url === undefined) return () => undefined;
  const messenger = createWebhook({ url, secret, host, warn: (text) => log.warn(text) });
  return watchForNotifications({ announcements, clock, sender: messenger, readSnapshot: () => readOutlook(ctx) });
}

/** The same answers that everybody gets, so that a notification never says what the board does not. */
async function readOutlook(ctx: CoordinationContext): Promise<WorkSnapshot> {
  const ready = (await ask(ctx, 'next_ready_nodes')) as { items?: readonly ReadyNode[] } | undefined;
  const board = (await ask(ctx, 'list_agents')) as Board;
  return { ready: ready?.items ?? [], contested: contestedIn(board) };
}

function contestedIn({ trees, sessions }: Board): ContestedTree[] {
  const living = new Set(sessions.filter(isLive).map(({ sessionId }) => sessionId));
  return trees
    .filter(({ contested }) => contested)
    .map((tree) => ({ host: tree.host, root: tree.root, live: tree.sessions.filter((id) => living.has(id)).length }));
}

const isLive = ({ state, pid }: Session): boolean =>
  state === 'running' || state === 'idle' || (state === 'unknown' && pid !== null);

async function ask(ctx: CoordinationContext, name: string): Promise<unknown> {
  const command = coordinationCommands.find((candidate) => candidate.name === name);
  return command?.run(ctx, command.input.parse({}) as never);
}
