import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { restRequest } from '../../../browser/rest-request.ts';
import { routes } from '../../../browser/routes.ts';
import type { Announcements } from '../../../kernel/announcements.ts';
import type { Announcement } from '../../../kernel/messages.ts';
import { askConsole, type ConsoleAddress } from './remote-console.ts';

export type RemoteRunEventsOptions = {
  /** The host that has this run, while both are alive; otherwise undefined. */
  addressOf: (runId: string) => ConsoleAddress | undefined;
  announcements: Announcements;
};

/** Each followed run uses a connection to its host. */
const mostFollowed = 64;
const connectWaitMs = 1_000;
const reconnectMs = 1_000;
/** A limit in characters; the longest message, a batch of events, has at most 8 MiB. */
const mostMessage = 16 * 1024 * 1024;

/** Passes on the events of live runs of other hosts, as long as somebody here listens to them. */
export class RemoteRunEvents {
  readonly #options: RemoteRunEventsOptions;
  readonly #followed = new Map<string, { end: AbortController; connected: Promise<void> }>();

  constructor(options: RemoteRunEventsOptions) {
    this.#options = options;
  }

  /** Resolves once the run is followed, or after a second if its host does not answer. */
  async follow(runId: string): Promise<void> {
    if (!this.#isWanted(runId)) return;
    const followed = this.#followed.get(runId) ?? this.#begin(runId);
    await Promise.race([followed.connected, pause(connectWaitMs, undefined, { ref: false })]);
  }

  /** Stops following runs that have ended. */
  leaveEnded(): void {
    for (const [runId, { end }] of this.#followed) if (!this.#options.addressOf(runId)) end.abort();
  }

  stop(): void {
    for (const { end } of this.#followed.values()) end.abort();
  }

  #isWanted(runId: string): boolean {
    const { addressOf, announcements } = this.#options;
    return addressOf(runId) !== undefined && announcements.wanted('run_events');
  }

  #begin(runId: string) {
    const [oldest] = this.#followed.values();
    if (oldest && this.#followed.size >= mostFollowed) oldest.end.abort();
    const end = new AbortController();
    const connected = Promise.withResolvers<void>();
    const followed = { end, connected: connected.promise };
    this.#followed.set(runId, followed);
    void this.#passOn(runId, end.signal, connected.resolve).finally(() => {
      connected.resolve();
      if (this.#followed.get(runId) === followed) this.#followed.delete(runId);
    });
    return followed;
  }

  /** Runs until the run has ended or nobody listens; an interrupted stream resumes where it stopped. */
  async #passOn(runId: string, signal: AbortSignal, connected: () => void): Promise<void> {
    let after: string | undefined;
    while (!signal.aborted && this.#isWanted(runId)) {
      try {
        for await (const { id, event, data } of await this.#open(runId, after, signal)) {
          connected();
          after = id ?? after;
          if (event !== 'bookmark') this.#announce(runId, JSON.parse(data));
          if (!this.#isWanted(runId)) return;
        }
      } catch {
        // The host is gone or does not answer like a hub; this is retried while the run is listed as live.
      }
      await pause(reconnectMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #open(runId: string, after: string | undefined, signal: AbortSignal) {
    const address = this.#options.addressOf(runId);
    if (!address) throw new Error('there is nothing to follow');
    const request = restRequest(routes.messages, { types: 'run_events', runId });
    const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) };
    const answer = await askConsole(address, request, { headers, signal, maxBytes: Number.POSITIVE_INFINITY });
    if (answer.ok && answer.body) {
      return answer.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream({ maxBufferSize: mostMessage }));
    }
    await answer.body?.cancel();
    throw new Error(`the hub answered ${answer.status}`);
  }

  /** Messages that were missed there are also missing here, so everything is read again. */
  #announce(runId: string, message: Announcement): void {
    const { announcements } = this.#options;
    if (message.type === 'reset') announcements.announce({ type: 'reset', data: {} });
    const isOfRun = message.type === 'run_events' && message.data.runId === runId;
    if (isOfRun && Array.isArray(message.data.events)) announcements.announce(message);
  }
}
