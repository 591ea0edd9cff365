import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Announcements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import { hubBeatMs } from '../../kernel/hub-beat.ts';
import { type AccessPolicy, isStillAdmitted } from '../admission.ts';
import type { ExtraRoute } from '../openapi.ts';
import type { SocketCounts } from '../socket/answer-request.ts';
import { addSocket, createSocketRoute, type SocketCalls } from '../socket/socket-route.ts';
import { createUpgrades, type Upgrade } from '../upgrades.ts';
import { createHubSocket } from './hub-socket.ts';
import { sourceOf } from './message.ts';
import { MessageFeed } from './message-feed.ts';
import type { RingLimits } from './ring.ts';
import { addServerSentEvents, hubPath } from './server-sent-events.ts';
import { addNegotiate } from './signalr.ts';

export type HubDeps = {
  announcements: Announcements;
  clock: Clock;
  policy: AccessPolicy;
  hostName: string;
  /** The id before the first message. */
  firstIdAfter: number;
  /** The commands that can be called on a socket that also receives the messages. */
  calls: SocketCalls;
  limits?: RingLimits;
};

export type Hub = {
  addRoutes(app: FastifyInstance): readonly ExtraRoute[];
  upgrade: Upgrade;
  /** How many clients listen now. */
  clients(): number;
  /** Sockets on which commands can be called, and the counts of those calls. */
  sockets: { open(): number } & SocketCounts;
  /** Ends the connection of every client in its protocol. */
  end(): Promise<void>;
};

const ringLimits: RingLimits = { messages: 20_000, bytes: 16 * 1024 * 1024 };
const graceMs = 1_000;
/** A disconnected client usually reconnects within this time and can still resume. */
const reconnectMs = 60_000;

const passed = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** Delivers the announcements of the process to all subscribers in one order. */
export function createHub(deps: HubDeps): Hub {
  const { announcements, clock, policy, hostName, firstIdAfter, limits = ringLimits } = deps;
  const feed = new MessageFeed(firstIdAfter, limits, { source: sourceOf(hostName), now: () => clock.wall() });
  const calls = createSocketRoute(deps.calls, feed, policy);
  const { upgrade, cut, cutRevoked } = createUpgrades([createHubSocket(feed, policy), calls.route], policy);
  const streams = new Set<IncomingMessage>();
  let attendedAt = Number.NEGATIVE_INFINITY;
  const isAttended = (): boolean => {
    const now = clock.monotonic();
    if (feed.readers > 0) attendedAt = now;
    return now - attendedAt <= reconnectMs;
  };
  // Building messages costs more than the changes themselves, so it is skipped unless somebody listens or may resume.
  const wants = (): boolean => {
    if (isAttended()) return true;
    feed.skip();
    return false;
  };
  const stopListening = announcements.listen((announcement) => feed.announce(announcement), wants);
  const cutUnadmitted = () => {
    cutRevoked();
    for (const request of streams) if (!isStillAdmitted(request, policy, hubPath)) request.socket.destroy();
  };
  const stopCutting = policy.revocations.listen(cutUnadmitted);
  const stopBeating = clock.every(hubBeatMs, () => {
    // Tokens also expire.
    cutUnadmitted();
    calls.beat();
    feed.beat();
  });
  return {
    addRoutes: (app) => [addServerSentEvents(app, feed, streams), addNegotiate(app), addSocket(app)],
    upgrade,
    clients: () => feed.readers,
    sockets: { open: calls.open, ...deps.calls.counts },
    async end() {
      stopListening();
      stopCutting();
      stopBeating();
      const answered = calls.end();
      await feed.end(graceMs);
      await Promise.race([answered, passed(graceMs)]);
      cut();
    },
  };
}
