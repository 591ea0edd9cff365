type EventData = Readonly<Record<string, unknown>>;
type Sentence = (by: string, data: EventData) => string;

const fieldNames = (fields: unknown): string => Object.keys(fields as object).join(', ');
const nodesOf = (document: unknown): number => (document as { nodes?: unknown[] }).nodes?.length ?? 0;
const noteSuffix = (note: unknown): string => (note === null || note === undefined ? '' : `: ${note}`);

const sentences: Readonly<Record<string, Sentence>> = {
  plan_created: (by, { document }) => `${by} created the plan with ${nodesOf(document)} nodes.`,
  plan_changed: (by, { fields }) => `${by} changed ${fieldNames(fields)} of the plan.`,
  plan_archived: (by) => `${by} archived the plan.`,
  plan_restored: (by) => `${by} restored the plan.`,
  node_added: (by, { node }) => `${by} added ${(node as { id: string }).id}.`,
  node_changed: (by, { id, fields }) => `${by} changed ${fieldNames(fields)} of ${id}.`,
  node_removed: (by, { id }) => `${by} removed ${id}.`,
  dependency_added: (by, { node, on }) => `${by} made ${node} wait for ${on}.`,
  dependency_removed: (by, { node, on }) => `${by} freed ${node} from waiting for ${on}.`,
  node_bound: (by, { id, binding }) =>
    binding === null
      ? `${by} took away what proves ${id}.`
      : `${by} bound ${id} to ${(binding as { kind: string }).kind}.`,
  node_claimed: (_, { id, agent, expiresAt, renewed }) =>
    `${agent} ${renewed ? 'renewed the claim of' : 'claimed'} ${id} until ${expiresAt}.`,
  claim_reported: (_, { id, agent, note }) => `${agent} reported on ${id}${noteSuffix(note)}.`,
  claim_released: (_, { id, agent }) => `${agent} released ${id}.`,
  claim_expired: (_, { id, agent }) => `The claim of ${agent} on ${id} ran out.`,
  node_signed_off: (by, { id, note, revoked }) =>
    `${by} ${revoked ? 'took back the sign-off of' : 'signed off'} ${id}${noteSuffix(note)}.`,
  evidence_observed: (_, { id, from, to, detail }) =>
    from === to ? `${id} stays ${to}: ${detail}.` : `${id} went from ${from} to ${to}: ${detail}.`,
};

/** One sentence for a person. */
export const sentenceFor = (type: string, by: string, data: EventData): string =>
  sentences[type]?.(by, data) ?? `${by}: ${type}.`;

export const hasSentence = (type: string): boolean => Object.hasOwn(sentences, type);
