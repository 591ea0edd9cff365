/** The promises of the work loop, without any implementation. */
export type Ask = {
  do: 'claim' | 'next' | 'report' | 'release' | 'split' | 'reset' | 'add' | 'remove' | 'signOff';
  node: string;
  agent: string;
  minutes?: number;
  fence?: number;
  note?: string;
  force?: boolean;
  outcome?: 'submitted' | 'failed';
};
export type Lease = {
  agent: string;
  until: number;
  fence: number;
  minutes: number;
  note: string | null;
  excused?: boolean;
};
export type Node = {
  lease: Lease | null;
  fence: number;
  done: boolean;
  there: boolean;
  handedIn: boolean;
  /** Failed attempts, how many of them were released, and until when the next attempt waits. */
  failed: number;
  givenBack: number;
  notBefore: number;
  urgent: boolean;
  /** It uses the resource that only one claim can use at a time. */
  usesDb: boolean;
  /** When it was added: older nodes come first. */
  age: number;
  /** The nodes that it was split into and waits for. */
  parts: readonly string[];
};
export type Model = Record<string, Node>;
/** The answer as a text: `claimed 3`, `held ada`, `not_holder`, ... */
export type ModelAnswer = string;

export const maxAttempts = 3;
export const partsOf = (name: string): readonly string[] => [`${name}1`, `${name}2`];

const asAdded = {
  lease: null,
  done: false,
  there: true,
  handedIn: false,
  failed: 0,
  givenBack: 0,
  notBefore: 0,
  parts: [],
} as const;

/** The last node is urgent; the first and the last use the same resource. Their parts do not exist yet, and use nothing. */
export function fresh(names: readonly string[]): Model {
  const node = (there: boolean, urgent: boolean, usesDb = false): Node => {
    return { ...asAdded, there, fence: 0, urgent, usesDb, age: 0 };
  };
  const isLast = (at: number) => at === names.length - 1;
  const whole = names.map((name, at) => [name, node(true, isLast(at), at === 0 || isLast(at))] as const);
  const parts = names.flatMap(partsOf).map((name) => [name, node(false, false)] as const);
  return Object.fromEntries([...whole, ...parts]);
}

const liveOf = ({ lease }: Node, now: number): Lease | null => (lease !== null && lease.until > now ? lease : null);

/** An expired lease counts as soon as the clock has passed its end. */
export const failedOf = ({ failed, lease }: Node, now: number): number =>
  failed + (lease !== null && lease.until <= now && !lease.excused ? 1 : 0);

/** A lease that had expired before attempts were reset does not count. */
const excused = ({ lease }: Node, now: number): Lease | null =>
  lease !== null && lease.until <= now ? { ...lease, excused: true } : lease;

export const waitsFor = (model: Model, { parts }: Node): boolean => parts.some((part) => !model[part]?.done);

/** The node that claim_next hands out: urgent nodes first, then nodes that others wait for, then the oldest. */
function nextOf(model: Model, now: number): string | undefined {
  const isWaiting =
    (name: string) =>
    ({ there, done, parts }: Node) =>
      there && !done && parts.includes(name);
  const rank = (name: string): string => {
    const behind = Object.values(model).filter(isWaiting(name));
    const isUrgent = model[name]?.urgent || behind.some(({ urgent }) => urgent);
    return `${isUrgent ? 0 : 1} ${behind.length > 0 ? 0 : 1} ${String(model[name]?.age).padStart(9, '0')} ${name}`;
  };
  const isDbUsed = Object.values(model).some((node) => node.usesDb && node.there && liveOf(node, now) !== null);
  const isFree = (node: Node) =>
    node.there &&
    !(node.usesDb && isDbUsed) &&
    !node.done &&
    !node.handedIn &&
    liveOf(node, now) === null &&
    !waitsFor(model, node) &&
    failedOf(node, now) < maxAttempts &&
    node.notBefore <= now;
  const free = Object.keys(model).filter((name) => isFree(model[name] as Node));
  return free.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}

const backOffMs = (givenBack: number): number => Math.min(30_000 * 2 ** givenBack, 1_800_000);

export function step(model: Model, ask: Ask, now: number): { told: ModelAnswer; next: Model } {
  if (ask.do === 'next') {
    const node = nextOf(model, now);
    if (node === undefined) return { told: 'nothing', next: model };
    const { told, next } = step(model, { ...ask, do: 'claim', node }, now);
    return { told: `${node} ${told}`, next };
  }
  const node = model[ask.node] as Node;
  const live = liveOf(node, now);
  const same = (told: ModelAnswer) => ({ told, next: model });
  const become = (told: ModelAnswer, change: Partial<Node>, others: Model = {}) => ({
    told,
    next: { ...model, ...others, [ask.node]: { ...node, ...change } },
  });
  const newest = Math.max(...Object.values(model).map(({ age }) => age)) + 1;
  if (ask.do === 'add') return node.there ? same('node_exists') : become('added', { ...asAdded, age: newest });
  if (!node.there) return same('node_not_found');
  const until = (minutes: number) => now + minutes * 60_000;
  const notHolder = live?.agent !== ask.agent;
  const isStale = ask.fence !== undefined && ask.fence !== live?.fence;
  const isSettled = { failed: 0, givenBack: 0, notBefore: 0 };
  switch (ask.do) {
    case 'remove': {
      const owner = Object.keys(model).find((name) => model[name]?.there && model[name]?.parts.includes(ask.node));
      if (owner !== undefined && !ask.force) return same('node_has_dependents');
      if (live && !ask.force) return same('node_claimed');
      const waiting = owner === undefined ? undefined : (model[owner] as Node);
      // Its author changed the dependencies of the other node, so its earlier failures no longer count.
      const freed = waiting && {
        ...waiting,
        ...isSettled,
        lease: excused(waiting, now),
        parts: waiting.parts.filter((part) => part !== ask.node),
      };
      const others = owner !== undefined && freed ? { [owner]: freed } : {};
      return become('removed', { ...asAdded, there: false }, others);
    }
    case 'signOff':
      return become(
        'signed',
        node.done ? {} : { done: true, handedIn: false, ...isSettled, lease: excused(node, now) },
      );
    case 'reset':
      return become('reset', { ...isSettled, lease: excused(node, now) });
    case 'claim': {
      if (node.done) return same('node_done');
      if (live && live.agent !== ask.agent) return same(`held ${live.agent} ${live.until}`);
      const minutes = ask.minutes ?? live?.minutes ?? 30;
      const fence = live?.fence ?? Math.max(node.fence + 1, now);
      const lease = { agent: ask.agent, minutes, fence, until: until(minutes), note: live?.note ?? null };
      const failed = failedOf(node, now);
      return become(`claimed ${fence} ${lease.until}`, { lease, fence, failed, handedIn: false, notBefore: 0 });
    }
    case 'report': {
      if (!live || notHolder) return same('not_holder');
      if (isStale) return same('stale_fence');
      const minutes = ask.minutes ?? live.minutes;
      const lease = { ...live, minutes, until: until(minutes), note: ask.note ?? live.note };
      return become(`reported ${lease.until}`, { lease });
    }
    case 'split': {
      if (!live || notHolder) return same('not_holder');
      if (isStale) return same('stale_fence');
      const parts = partsOf(ask.node);
      if (parts.some((part) => model[part]?.there)) return same('node_exists');
      const made = parts.map((part) => [part, { ...(model[part] as Node), ...asAdded, age: newest }] as const);
      return become('split', { lease: null, parts }, Object.fromEntries(made));
    }
    case 'release': {
      if (!live) return same('released false');
      if (notHolder) return same('not_holder');
      if (isStale) return same('stale_fence');
      const { failed, givenBack } = node;
      const isFailed = ask.outcome === 'failed';
      const counted = isFailed
        ? { failed: failed + 1, givenBack: givenBack + 1, notBefore: now + backOffMs(givenBack) }
        : {};
      const handedIn = ask.outcome === 'submitted' && !node.done;
      return become('released true', { lease: null, handedIn, ...counted });
    }
  }
}
