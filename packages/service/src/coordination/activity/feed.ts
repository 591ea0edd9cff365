import type { RecordedEvent } from '../../kernel/event-log.ts';
import type { RunSummary } from '../../kernel/run-summary.ts';
import { keyOfStream, nodeRef, planOf } from '../../kernel/streams.ts';
import { claimSentence } from '../claims/event-sentences.ts';
import { evidenceSentence } from '../evidence/event-sentences.ts';
import { proofOfState } from '../evidence/node-evidence.ts';
import { planSentence } from '../plans/event-sentences.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import type { ActivityEntry, ActivityKind } from './contract.ts';

export type FeedFilter = {
  /** An agent, a person, or who did it. */
  by?: string | undefined;
  plan?: string | undefined;
  repository?: string | undefined;
  kind?: ActivityKind | undefined;
};

/** The current names of the things that events refer to. */
export type FeedNames = {
  slugOf: (plan: string) => string;
  repositoryOf: (plan: string, node: string | null) => string | null;
};

/** Everything that happened, in all plans, runs and tokens, newest first. */
export const feedOf = (
  entries: readonly ActivityEntry[],
  runs: readonly RunSummary[],
  filter: FeedFilter,
): ActivityEntry[] =>
  [...entries, ...runs.map(runEntry).filter((entry) => isWanted(entry, filter))]
    .reverse()
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));

/** Undefined for events that are not news, or were not requested. */
export function eventEntry(event: RecordedEvent, filter: FeedFilter, names: FeedNames): ActivityEntry | undefined {
  const entry = entryOf(event, names);
  return entry && isWanted(entry, filter) ? entry : undefined;
}

function isWanted({ kind, by, agent, plan, repository }: ActivityEntry, filter: FeedFilter): boolean {
  if (filter.kind === undefined ? kind === 'report' : kind !== filter.kind) return false;
  if (filter.plan !== undefined && !isSame(plan, filter.plan)) return false;
  if (filter.repository !== undefined && !isSame(repository, filter.repository)) return false;
  return (
    filter.by === undefined || [by, agent, agent?.split('/', 1)[0] ?? null].some((name) => isSame(name, filter.by))
  );
}

const isSame = (a: string | null, b: string | undefined): boolean => a !== null && a.toLowerCase() === b?.toLowerCase();

/** A note may be as long as a document; the page of its node or repository shows all of it. */
const longestSentence = 500;
const halfOfPair = /[\uD800-\uDBFF]$/;
const beginningOf = (text: string): string =>
  text.length <= longestSentence ? text : `${text.slice(0, longestSentence).replace(halfOfPair, '')}…`;

const about = (
  event: RecordedEvent,
  { says, ...more }: Pick<ActivityEntry, 'kind' | 'says'> & Partial<ActivityEntry>,
): ActivityEntry => ({
  id: String(event.sequence),
  at: event.at,
  type: event.type,
  by: event.by,
  agent: null,
  plan: null,
  ref: null,
  repository: null,
  runId: null,
  href: '/',
  ...more,
  says: beginningOf(says),
});

/** Undefined for events that are not news to a person. */
function entryOf(event: RecordedEvent, names: FeedNames): ActivityEntry | undefined {
  if (isStored(event, 'token')) return tokenEntry(event);
  if (isStored(event, 'repository')) return repositoryEntry(event);
  const slug = planOf(event);
  if (slug === undefined) return undefined;
  const plan = names.slugOf(slug);
  if (isStored(event, 'plan')) {
    const says = planSentence(event);
    if (says === undefined) return undefined;
    const repository = names.repositoryOf(slug, null);
    return about(event, { kind: 'plan', says: `${plan}: ${says}`, plan, repository, href: planPage(plan) });
  }
  const described = describeNode(event, plan);
  if (!described) return undefined;
  const { id, ...entry } = described;
  const node = { plan, ref: nodeRef(plan, id), repository: names.repositoryOf(slug, id), href: nodePage(plan, id) };
  return about(event, { ...node, ...entry });
}

type Described = Pick<ActivityEntry, 'kind' | 'says'> & { id: string; agent?: string; runId?: string | null };

/** An event of a node; its sentence names the node with its plan. */
function describeNode(event: RecordedEvent, plan: string): Described | undefined {
  if (isStored(event, 'claim')) {
    const says = claimText(named(event, plan));
    if (says === undefined) return undefined;
    const isReport = event.type === 'claim_reported' || (event.type === 'node_claimed' && event.data.renewed);
    const agent = 'agent' in event.data ? { agent: event.data.agent } : {};
    return { kind: isReport ? 'report' : 'claim', says, id: event.data.id, ...agent };
  }
  if (!isStored(event, 'evidence')) return undefined;
  const says = evidenceText(named(event, plan));
  if (says === undefined) return undefined;
  const runId = 'runId' in event.data ? event.data.runId : null;
  return { kind: event.type === 'node_signed_off' ? 'sign_off' : 'evidence', says, id: event.data.id, runId };
}

/** Leaves out the end of the lease, which only matters while the lease is live. */
const claimText = (event: StoredEvent<'claim'>): string | undefined =>
  event.type === 'node_claimed' && !event.data.renewed
    ? `${event.data.agent} claimed ${event.data.id}.`
    : claimSentence(event);

function evidenceText(event: StoredEvent<'evidence'>): string | undefined {
  if (event.type !== 'evidence_observed') return evidenceSentence(event);
  const { id, from, to, detail } = event.data;
  // Only its text changed, or a run is in progress.
  if (from === to || to === 'running') return undefined;
  const proof = proofOfState(to);
  if (proof === 'done') return `${id} is done: ${detail}.`;
  return proof === 'failed' ? `${id} failed: ${detail}.` : evidenceSentence(event);
}

const named = <Event extends StoredEvent<'claim'> | StoredEvent<'evidence'>>(event: Event, plan: string): Event => ({
  ...event,
  data: { ...event.data, id: nodeRef(plan, event.data.id) },
});

function tokenEntry(event: StoredEvent<'token'>): ActivityEntry | undefined {
  const entry = { kind: 'token', href: '/tokens' } as const;
  switch (event.type) {
    case 'token_created':
      return about(event, { ...entry, says: `${event.by} created the token ${event.data.name}.` });
    case 'token_revoked':
      return about(event, { ...entry, says: `${event.by} revoked the token ${event.data.name}.` });
    case 'logins_ended':
      return about(event, { ...entry, says: `${event.by} ended all logins.` });
    case 'history_accepted':
      return about(event, { ...entry, href: '/audit', says: `${event.by} accepted that the history was replaced.` });
    default:
      return undefined;
  }
}

function repositoryEntry(event: StoredEvent<'repository'>): ActivityEntry | undefined {
  const { owner, name } = event.data;
  const repository = owner === undefined ? keyOfStream(event.stream) : `${owner}/${name}`;
  const entry = { kind: 'repository', repository, href: `/repositories/${repository}` } as const;
  switch (event.type) {
    case 'repository_registered':
      return about(event, { ...entry, says: `${event.by} registered ${repository}.` });
    case 'repository_declared':
      return about(event, { ...entry, says: `${event.by} declared what ${repository} publishes and uses.` });
    case 'note_added':
      return about(event, { ...entry, says: `${event.by} noted on ${repository}: ${event.data.text}` });
    default:
      return undefined;
  }
}

/** The time of a run in the feed: its end, or its arrival while it is live. */
export const timeOfRun = ({ endedAt, receivedAt, startedAt }: RunSummary): string =>
  endedAt ?? receivedAt ?? startedAt ?? '';

function runEntry(run: RunSummary): ActivityEntry {
  const { runId, suite, repositoryName, publisher, tag } = run;
  const where = repositoryName === null ? '' : ` of ${repositoryName}`;
  const node = tag?.includes('/') ? tag : null;
  return {
    id: runId,
    at: timeOfRun(run),
    kind: 'run',
    type: run.state,
    says: `${suite}${where} ${outcomeOf(run)}.`,
    by: publisher ?? 'publisher',
    agent: null,
    plan: node?.split('/', 1)[0] ?? null,
    ref: node,
    repository: repositoryName,
    runId,
    href: `/runs/${encodeURIComponent(runId)}`,
  };
}

function outcomeOf({ state, green, passed, failed, passedOnRetry }: RunSummary): string {
  if (state === 'running') return `is running: ${passed + passedOnRetry} passed, ${failed} failed`;
  if (state === 'unreadable') return 'cannot be read';
  if (green) return `passed: ${passed + passedOnRetry} ${passed + passedOnRetry === 1 ? 'test' : 'tests'}`;
  if (failed > 0) return `failed: ${failed} of ${failed + passed + passedOnRetry} tests`;
  return state === 'orphaned' ? 'lost its publisher' : 'ended without a verdict';
}

const planPage = (plan: string): string => `/plans/${encodeURIComponent(plan)}`;
const nodePage = (plan: string, node: string): string => `${planPage(plan)}?node=${encodeURIComponent(node)}`;
