/** What the work loop promises, and nothing of how: the whole of it fits on a page. */
export type Ask = {
  do: 'claim' | 'report' | 'release' | 'add' | 'remove' | 'signOff';
  node: string;
  agent: string;
  minutes?: number;
  fence?: number;
  note?: string;
  force?: boolean;
};
export type Lease = { agent: string; until: number; fence: number; minutes: number; note: string | null };
export type Node = { lease: Lease | null; fence: number; done: boolean; there: boolean };
export type Model = Record<string, Node>;
/** The word of the answer: `claimed 3`, `held ada`, `not_holder`, ... */
export type ModelAnswer = string;

export const fresh = (names: readonly string[]): Model =>
  Object.fromEntries(names.map((name) => [name, { lease: null, fence: 0, done: false, there: true }]));

export function step(model: Model, ask: Ask, now: number): { told: ModelAnswer; next: Model } {
  const node = model[ask.node] as Node;
  const live = node.lease !== null && node.lease.until > now ? node.lease : null;
  const same = (told: ModelAnswer) => ({ told, next: model });
  const become = (told: ModelAnswer, change: Partial<Node>) => ({
    told,
    next: { ...model, [ask.node]: { ...node, ...change } },
  });
  if (ask.do === 'add') return node.there ? same('node_exists') : become('added', { there: true, done: false });
  if (!node.there) return same('node_not_found');
  const until = (minutes: number) => now + minutes * 60_000;
  switch (ask.do) {
    case 'remove':
      if (live && !ask.force) return same('node_claimed');
      return become('removed', { there: false, lease: null });
    case 'signOff':
      return become('signed', { done: true });
    case 'claim': {
      if (node.done) return same('node_done');
      if (live && live.agent !== ask.agent) return same(`held ${live.agent} ${live.until}`);
      const minutes = ask.minutes ?? live?.minutes ?? 30;
      const fence = live?.fence ?? Math.max(node.fence + 1, now);
      const lease = { agent: ask.agent, minutes, fence, until: until(minutes), note: live?.note ?? null };
      return become(`claimed ${fence} ${lease.until}`, { lease, fence });
    }
    case 'report': {
      if (live?.agent !== ask.agent) return same('not_holder');
      if (ask.fence !== undefined && ask.fence !== live.fence) return same('stale_fence');
      const minutes = ask.minutes ?? live.minutes;
      const lease = { ...live, minutes, until: until(minutes), note: ask.note ?? live.note };
      return become(`reported ${lease.until}`, { lease });
    }
    case 'release':
      if (!live) return same('released false');
      if (live.agent !== ask.agent) return same('not_holder');
      if (ask.fence !== undefined && ask.fence !== live.fence) return same('stale_fence');
      return become('released true', { lease: null });
  }
}
