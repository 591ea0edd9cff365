import { join } from 'node:path';
import type { SessionFacts } from '../coordination/agents/session-state.ts';
import type { TreeFacts } from '../coordination/agents/tree.ts';
import { type DeliveryDeps, deliverTo, type Send } from '../coordination/notify/io/deliveries.ts';
import { writeToGitHub } from '../coordination/notify/io/github-writer.ts';
import { post } from '../coordination/notify/io/post.ts';
import { NodeOccurrences } from '../coordination/notify/node-occurrences.ts';
import { ObservedOccurrences } from '../coordination/notify/observed-occurrences.ts';
import type { Webhooks } from '../coordination/notify/ports.ts';
import { render } from '../coordination/notify/render.ts';
import { watchOccurrences } from '../coordination/notify/watch.ts';
import type { RunSource } from '../coordination/runs/ports.ts';
import type { WorkState } from '../coordination/work/work-state.ts';
import { sourceOf } from '../edge/hub/message.ts';
import { iso } from '../kernel/clock.ts';
import type { EventLog, Projection } from '../kernel/event-log.ts';
import type { Outbox } from '../kernel/outbox.ts';
import { type Occurrence, occurrenceId } from '../receivers/occurrence.ts';
import { openSqliteOutbox } from '../store/sqlite/sqlite-outbox.ts';
import type { Store } from './open-store.ts';
import type { ServiceDeps } from './port.ts';

type WorkSources = {
  log: EventLog;
  runs: RunSource;
  observed: () => readonly SessionFacts[];
  trees: () => readonly TreeFacts[];
};

export type OpenedWebhooks = Webhooks & {
  /** The projections to fold with the log; none without a receiver. */
  follow(workState: WorkState): Promise<Projection[]>;
  /** Starts sending; returns a function that stops it. */
  start(sources: WorkSources): () => Promise<void>;
};

const webhooksFile = 'webhooks.sqlite';

/** Sends events to the receivers in the settings. Without a receiver nothing is stored or sent. */
export function openWebhooks(deps: ServiceDeps, store: Store): OpenedWebhooks {
  const { config, clock, log: logger } = deps;
  const { receivers } = config;
  const send: Send = (receiver, occurrence, stopped) => {
    if (receiver.format === 'github')
      return writeToGitHub({ url: receiver.url, token: config.gitHubReportToken ?? '' }, occurrence, stopped);
    const rendered = render(receiver, occurrence, { path: sourceOf(config.hostName), host: config.hostName });
    return post(receiver, occurrence, rendered, Date.parse(store.log.now()), stopped);
  };
  const outbox =
    receivers.length === 0 ? null : (store.outbox ?? openSqliteOutbox(join(config.dataPath, webhooksFile)));
  if (!outbox) return noWebhooks;
  const fault = (err: unknown) => logger.warn({ err }, 'cannot store the events for webhooks');
  const now = () => store.log.now();
  let nodes: NodeOccurrences | undefined;
  let senders: ReadonlyMap<string, ReturnType<typeof deliverTo>> = new Map();
  return {
    receivers,
    outbox: { ...outbox, again: (delivery) => outbox.again(delivery, now()) },
    test: (receiver) => send(receiver, testOccurrence(iso(clock.wall())), AbortSignal.timeout(15_000)),
    wake: (receiver) => senders.get(receiver)?.resume(),
    sendsHere: ({ id }) => senders.get(id)?.sendsHere() ?? false,
    async follow(workState) {
      nodes = new NodeOccurrences(workState);
      nodes.onFault = fault;
      nodes.follow(await outbox.mark());
      return [nodes];
    },
    start(sources) {
      if (!nodes) throw new Error('the log is folded before anything is sent');
      const started = startSending(deps, sources, { outbox, nodes, send, now, fault });
      senders = started.senders;
      return started.stop;
    },
  };
}

type Sending = {
  outbox: Outbox;
  nodes: NodeOccurrences;
  send: Send;
  now: () => string;
  fault: (error: unknown) => void;
};

function startSending(
  { config: { receivers, hostName: host }, clock, announcements, conditions, log: logger }: ServiceDeps,
  { log, runs, observed: sessions, trees }: WorkSources,
  { outbox, nodes, send, now, fault }: Sending,
) {
  const onTried: DeliveryDeps['onTried'] = ({ name }, { type, attempts }, isDelivered, why) => {
    conditions.notified(name, isDelivered);
    if (!isDelivered && attempts === 0) logger.warn({ webhook: name, type, why }, 'a webhook rejected an event');
  };
  const watch = watchOccurrences({
    ...{ log, clock, announcements, nodes, outbox, receivers, fault },
    observed: new ObservedOccurrences({ runs, sessions, trees, clock }),
    beginning: nodes.begin(),
    onQueued: () => {
      for (const sender of senders.values()) sender.look();
    },
  });
  const due: Outbox['due'] = async (receiver, at) => (watch.isBegun() ? outbox.due(receiver, at) : []);
  const sending = { outbox: { ...outbox, due }, clock, now, host, send, onTried, fault };
  const senders = new Map(receivers.map((receiver) => [receiver.id, deliverTo(receiver, sending)]));
  return {
    senders,
    async stop() {
      await watch.stop();
      await Promise.all([...senders.values()].map((sender) => sender.stop()));
      await outbox.close();
    },
  };
}

const noWebhooks: OpenedWebhooks = {
  receivers: [],
  outbox: { list: async () => [], counts: async () => [], lastTried: async () => undefined, again: async () => false },
  test: async () => ({ status: null, error: 'not set' }),
  wake: () => undefined,
  sendsHere: () => false,
  follow: async () => [],
  start: () => async () => undefined,
};

const testOccurrence = (at: string): Occurrence => ({
  id: occurrenceId('test', at),
  type: 'test',
  subject: 'signalbox',
  at,
  text: 'This is a test of Signalbox.',
  data: {},
});
