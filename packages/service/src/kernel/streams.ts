import type { RecordedEvent } from './event-log.ts';

declare const brand: unique symbol;

/** `<plan>/<node>`, spelled as its plan and node spell it. */
export type NodeRef = string & { readonly [brand]: 'NodeRef' };
/** A node's reference in lower case, because names are compared ignoring case. */
export type NodeKey = string & { readonly [brand]: 'NodeKey' };

export const nodeRef = (plan: string, node: string): NodeRef => `${plan}/${node}` as NodeRef;
export const keyOfRef = (ref: string): NodeKey => ref.toLowerCase() as NodeKey;
export const nodeKey = (plan: string, node: string): NodeKey => keyOfRef(`${plan}/${node}`);

/** The plan and the node of `<plan>/<node>`. */
export function partsOfRef(ref: NodeRef | NodeKey): { plan: string; node: string } {
  const slash = ref.indexOf('/');
  return { plan: ref.slice(0, slash), node: ref.slice(slash + 1) };
}

/** The prefixes of stream names; the key of the subject follows. */
const prefixes = {
  plan: 'plan:',
  claim: 'claim:',
  evidence: 'evidence:',
  link: 'link:',
  repository: 'repository:',
  graph: 'graph',
  token: 'token:',
} as const;

export type StreamKind = keyof typeof prefixes;

/** The names of all streams. No other code builds or parses them. */
export const streams = {
  plan: (slug: string): string => `${prefixes.plan}${slug.toLowerCase()}`,
  claim: (key: NodeKey): string => `${prefixes.claim}${key}`,
  evidence: (key: NodeKey): string => `${prefixes.evidence}${key}`,
  link: (key: NodeKey): string => `${prefixes.link}${key}`,
  repository: (owner: string, name: string): string => `${prefixes.repository}${owner}/${name}`.toLowerCase(),
  token: (name: string): string => `${prefixes.token}${name}`,
  /** The stream of all logins; `*` cannot occur in the name of a token. */
  logins: `${prefixes.token}*`,
  /** The stream of events that could not be recovered; no plan can have this name. */
  lost: `${prefixes.plan}*lost*`,
  /** The stream that is written to whenever an edge is added, so that two hosts cannot together close a cycle. */
  graph: prefixes.graph,
};

export const isOfKind = ({ stream }: Pick<RecordedEvent, 'stream'>, kind: StreamKind): boolean =>
  stream.startsWith(prefixes[kind]);

/** Undefined if the stream has no known prefix. */
export const kindOf = (stream: string): StreamKind | undefined =>
  (Object.keys(prefixes) as StreamKind[]).find((kind) => stream.startsWith(prefixes[kind]));

/** The subject of the stream, without its kind. */
export const keyOfStream = (stream: string): string => keyIn(stream);

const keyIn = (stream: string): string => stream.slice(stream.indexOf(':') + 1);

/** The node of a stream of claims, evidence or links. */
export const nodeKeyOf = ({ stream }: Pick<RecordedEvent, 'stream'>): NodeKey => keyIn(stream) as NodeKey;

/** The slug, in lower case, of the plan that an event belongs to; undefined if it belongs to none. */
export const planOf = ({ topic }: Pick<RecordedEvent, 'topic'>): string | undefined =>
  topic.startsWith(prefixes.plan) ? keyIn(topic) : undefined;
