import { coalesced } from '../../kernel/coalesced.ts';
import type { SourceStatus } from './contract.ts';
import { createHookReportStore } from './hooks.ts';
import type { PollScope } from './ports.ts';
import type { SessionFacts } from './session-facts.ts';
import { createSessionPoll, type SessionPollOptions } from './session-poll.ts';
import type { TreeFacts } from './tree.ts';

/** The last observation of every session on this host. */
export type SessionObservations = {
  sessions(): readonly SessionFacts[];
  get(sessionId: string): SessionFacts | undefined;
  trees(): readonly TreeFacts[];
  sources(): readonly SourceStatus[];
  /** Start of the last poll that looked at time and processes too; null before the first one has ended. */
  observedAt(): string | null;
};

export type AgentWatch = SessionObservations & {
  /** Polls once, then goes on polling until stopped. */
  start(): Promise<() => Promise<void>>;
  /** Polls now, or right after the poll that is under way. `all` reads every folder and checks every process. */
  poll(scope?: PollScope): Promise<void>;
  /** The session whose records hold a tool call of this id. */
  sessionOfToolCall(toolCallId: string): Promise<string | null>;
  /** The session that a hook reported together with this tool call. */
  reportedByHook(toolCallId: string): string | null;
  /** Takes a hook payload of an agent tool: it names causes, and hastens the next poll. */
  receiveHook(payload: Readonly<Record<string, unknown>>): void;
};

export type AgentWatchOptions = SessionPollOptions & {
  /** Called with unexpected errors; polling goes on. */
  onFault: (error: unknown) => void;
};

const pollMs = 1_000;
/** Polling must find everything; folder watches and hooks only make the next poll come sooner. */
export function createAgentWatch(options: AgentWatchOptions): AgentWatch {
  const { readers, probe, clock, onFault: fault } = options;
  const notes = createHookReportStore();
  const session = createSessionPoll(options, notes);
  const { tracker, trees, observedAt } = session;
  let wanted: PollScope | 'changed' = 'all';
  const pollOnce = () => {
    const scope = wanted;
    wanted = 'changed';
    return session.poll(scope);
  };
  const want = (scope: PollScope) => {
    if (wanted !== 'all') wanted = scope;
  };
  const { run, settled } = coalesced(() => pollOnce().catch(fault));

  return {
    sessions: tracker.sessions,
    get: tracker.get,
    trees: () => trees.all(),
    sources: () => [...readers.flatMap((reader) => reader.sources()), ...(probe.sources?.() ?? [])],
    observedAt,
    poll(scope = 'due') {
      want(scope);
      return run();
    },
    async sessionOfToolCall(toolCallId) {
      const found = await Promise.all(readers.map((reader) => reader.sessionOfToolCall?.(toolCallId) ?? null));
      return found.find((sessionId) => sessionId !== null) ?? null;
    },
    reportedByHook: (toolCallId) => notes.toolCalls.get(toolCallId) ?? null,
    receiveHook(payload) {
      notes.record(payload, clock.wall());
      want('due');
      void run();
    },
    async start() {
      const stopWatching = readers.map((reader) => reader.onChange(() => void run()));
      await run();
      const stopPolling = clock.every(pollMs, () => {
        want('due');
        return run();
      });
      return async () => {
        stopPolling();
        for (const stop of stopWatching) stop();
        await settled();
      };
    },
  };
}
