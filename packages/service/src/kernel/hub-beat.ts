/** How often the service sends something on every connection: SignalR clients give up after 30 s of silence, proxies mostly after 60. */
export const hubBeatMs = 15_000;
/** A connection that is silent for this long is dead, and its client opens another. */
export const hubSilentMs = 40_000;
