import { isRefusal } from '../../kernel/outcome.ts';
import { type AccessPolicy, isStillAdmitted } from '../admission.ts';
import { queryIn } from '../query.ts';
import type { SocketRoute } from '../upgrades.ts';
import type { MessageFeed } from './message-feed.ts';
import { hubPath, stopping } from './server-sent-events.ts';
import { SocketConnection } from './socket-connection.ts';
import { readSubscription } from './subscription.ts';

/** Clients of a send-only hub have nothing long to send. */
const maxPayload = 16 * 1024;

/** The hub on WebSockets, plain or as SignalR. */
export const createHubSocket = (feed: MessageFeed, policy: AccessPolicy): SocketRoute => ({
  path: hubPath,
  maxPayload,
  isStillAdmitted: (request) => isStillAdmitted(request, policy, hubPath),
  prepare({ url = '' }) {
    const asked = feed.ended ? stopping : readSubscription(url);
    if (isRefusal(asked)) return asked;
    return (ws, socket) => new SocketConnection(ws, socket, asked, feed).open(queryIn(url).has('id'));
  },
});
