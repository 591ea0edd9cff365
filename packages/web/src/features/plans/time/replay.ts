import type { Binding, HistoryEntry } from '../../../live/wire.ts';

export type PastNode = {
  id: string;
  title: string;
  description: string | null;
  repository: string | null;
  labels: readonly string[];
  estimateMinutes: number | null;
  dependsOn: readonly string[];
  binding: Binding | null;
};
export type PastClaim = {
  agent: string;
  session: string | null;
  note: string | null;
  claimedAt: string;
  expiresAt: string;
  fence: number;
};
/** `settled` is the last state that was not a live run. */
export type PastProof = {
  state: string;
  settled: string;
  detail: string;
  url: string | null;
  runId: string | null;
  at: string;
};

/** A plan as it was after some part of its history; everything by the id in lower case. */
export type Picture = {
  repository: string | null;
  nodes: Map<string, PastNode>;
  claims: Map<string, PastClaim>;
  proofs: Map<string, PastProof>;
};

type Told = Readonly<Record<string, unknown>>;

export const emptyPicture = (): Picture => ({
  repository: null,
  nodes: new Map(),
  claims: new Map(),
  proofs: new Map(),
});

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const keyOf = (value: unknown): string => String(value).toLowerCase();

function nodeOf(document: unknown): PastNode {
  const told = document as Partial<PastNode> & { id: string };
  return {
    id: told.id,
    title: told.title ?? told.id,
    description: told.description ?? null,
    repository: told.repository ?? null,
    labels: told.labels ?? [],
    estimateMinutes: told.estimateMinutes ?? null,
    dependsOn: told.dependsOn ?? [],
    binding: told.binding ?? null,
  };
}

type Step = (picture: Picture, data: Told, entry: HistoryEntry) => void;

const put = (picture: Picture, key: string, more: Partial<PastNode>): void => {
  const node = picture.nodes.get(key);
  if (node) picture.nodes.set(key, { ...node, ...more });
};

const steps: Readonly<Record<string, Step>> = {
  plan_created(picture, { document }) {
    const { nodes, repository } = document as { nodes?: readonly unknown[] | null; repository?: string | null };
    picture.repository = repository ?? null;
    for (const node of nodes ?? []) picture.nodes.set(keyOf((node as { id: string }).id), nodeOf(node));
  },
  plan_changed(picture, { fields }) {
    const { repository } = fields as { repository?: { to: unknown } };
    if (repository) picture.repository = text(repository.to);
  },
  node_added: (picture, { node }) => void picture.nodes.set(keyOf((node as { id: string }).id), nodeOf(node)),
  node_changed(picture, { id, fields }) {
    const changes = Object.entries(fields as Record<string, { to: unknown }>).map(([name, { to }]) => [name, to]);
    const { nodes } = picture;
    const before = nodes.get(keyOf(id));
    if (before) nodes.set(keyOf(id), nodeOf({ ...before, ...Object.fromEntries(changes) }));
  },
  node_removed(picture, { id }) {
    for (const map of [picture.nodes, picture.claims, picture.proofs]) map.delete(keyOf(id));
  },
  dependency_added(picture, { node, on }) {
    const needs = picture.nodes.get(keyOf(node))?.dependsOn ?? [];
    put(picture, keyOf(node), { dependsOn: [...needs.filter((ref) => keyOf(ref) !== keyOf(on)), String(on)] });
  },
  dependency_removed(picture, { node, on }) {
    const needs = picture.nodes.get(keyOf(node))?.dependsOn ?? [];
    put(picture, keyOf(node), { dependsOn: needs.filter((ref) => keyOf(ref) !== keyOf(on)) });
  },
  node_bound(picture, { id, binding }) {
    put(picture, keyOf(id), { binding: (binding as Binding | null) ?? null });
    // Another proof starts unseen.
    picture.proofs.delete(keyOf(id));
  },
  node_claimed(picture, { id, agent, session, expiresAt, fence, renewed }, { at }) {
    const before = renewed ? picture.claims.get(keyOf(id)) : undefined;
    picture.claims.set(keyOf(id), {
      agent: String(agent),
      session: text(session) ?? before?.session ?? null,
      note: before?.note ?? null,
      claimedAt: before?.claimedAt ?? at,
      expiresAt: String(expiresAt),
      fence: Number(fence),
    });
  },
  claim_reported(picture, { id, note, expiresAt }) {
    const claim = picture.claims.get(keyOf(id));
    if (claim)
      picture.claims.set(keyOf(id), { ...claim, note: text(note) ?? claim.note, expiresAt: String(expiresAt) });
  },
  claim_released: (picture, { id }) => void picture.claims.delete(keyOf(id)),
  claim_expired: (picture, { id }) => void picture.claims.delete(keyOf(id)),
  node_signed_off(picture, { id, note, revoked }, { at, by }) {
    const detail = `signed off by ${by}${text(note) ? `: ${note}` : ''}`;
    if (revoked) picture.proofs.delete(keyOf(id));
    else picture.proofs.set(keyOf(id), { state: 'signed', settled: 'signed', detail, url: null, runId: null, at });
  },
  evidence_observed(picture, { id, to, detail, url, runId }, { at }) {
    const before = picture.proofs.get(keyOf(id));
    const state = String(to);
    const settled = state === 'running' ? (before?.settled ?? 'notObserved') : state;
    const proof = { state, settled, detail: text(detail) ?? '', url: text(url), runId: text(runId), at };
    picture.proofs.set(keyOf(id), proof);
  },
};

/** Takes one more event into the picture. */
export function step(picture: Picture, entry: HistoryEntry): void {
  steps[entry.type]?.(picture, entry.data, entry);
}

/** The plan after the first so many events. */
export function pictureAfter(entries: readonly HistoryEntry[], count: number): Picture {
  const picture = emptyPicture();
  for (const entry of entries.slice(0, count)) step(picture, entry);
  return picture;
}

const proven = new Set(['closed', 'merged', 'passed', 'published', 'taken', 'committed', 'signed']);

export const isDone = ({ proofs }: Picture, key: string): boolean => proven.has(proofs.get(key)?.settled ?? '');

/** The plan as it stood at an instant. */
export function pictureAt(entries: readonly HistoryEntry[], at: string): Picture {
  const later = entries.findIndex((entry) => entry.at > at);
  return pictureAfter(entries, later < 0 ? entries.length : later);
}
