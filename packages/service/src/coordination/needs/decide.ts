import { isLabelOf } from '../../kernel/access.ts';
import type { SubmissionView } from '../../kernel/claim-view.ts';
import type { RunSummary } from '../../kernel/run-summary.ts';
import type { Board, Session, SessionClaim, Tree } from '../agents/contract.ts';
import type { EvidenceView } from '../evidence/contract.ts';
import type { ReplacedHistory } from '../hosts/contract.ts';
import type { Binding, PullRequestBinding } from '../plans/binding.ts';
import type { PlanSummary } from '../plans/contract.ts';
import type { NodeView } from '../plans/node-view.ts';
import { describePullRequest } from '../plans/pull-request-text.ts';
import type { Overlap } from '../trees/contract.ts';
import { ago } from '../work/ago.ts';
import type { HeldNode, Need, Needs } from './contract.ts';
import { about, type HostFacts, hostTrouble, replacedHistory } from './host-needs.ts';
import { needOrder } from './need.ts';
import { cleanupCommand, resumeCommand } from './next-command.ts';

/** A submitted node that a person decides, or that nothing can prove. */
export type SubmittedNode = {
  ref: string;
  title: string;
  binding: Binding | null;
  submission: SubmissionView | null;
  evidence: EvidenceView | null;
};

/** A node left to a person: too many attempts failed, or its budget is used up. */
export type ParkedNode = Pick<NodeView, 'ref' | 'title' | 'attempts' | 'parked' | 'budget' | 'spent'>;
export type SpentPlan = Pick<PlanSummary, 'slug' | 'title' | 'budget' | 'spent' | 'ready'>;

export type FailedNode = { ref: string; title: string; claimedBy: string | null; evidence: EvidenceView | null };

/** A snapshot of everything at one moment. */
export type NeedsFacts = {
  board: Pick<Board, 'sessions' | 'trees'>;
  failed: readonly FailedNode[];
  parked: readonly ParkedNode[];
  /** Plans whose budget is used up. */
  overBudget: readonly SpentPlan[];
  submitted: readonly SubmittedNode[];
  /** Overlaps of every kind; only those of lines need a person. */
  overlaps: readonly Overlap[];
  now: string;
  runs: readonly RunSummary[];
  /** Why the console of these runs cannot be read. */
  consoleTrouble?: string | null;
  ready: number;
  claimed: number;
  /** Nodes bound to a sign-off that miss nothing else. */
  unsigned?: readonly UnsignedNode[];
  /** Live claims whose holder's token was revoked or has expired. */
  leavers?: readonly LeftClaim[];
  hosts?: readonly HostFacts[];
  /** The answering host; omitted if every session is on it. */
  here?: string;
  replaced?: ReplacedHistory | null;
};

export type UnsignedNode = {
  ref: string;
  title: string;
  who: string | null;
  workedOn: { agent: string; at: string } | null;
};
export type LeftClaim = {
  ref: string;
  agent: string;
  token: string;
  endedAt: string;
  how: 'revoked' | 'expired';
  expiresAt: string;
};

/** The same for one person: needs that name them come first, and their claims are listed. */
export function forPerson(found: Needs, name: string, claims: HeldNode[]): Needs {
  const mine = found.needs.filter((need) => isNamed(need, name.toLowerCase()));
  return {
    ...found,
    needs: [...mine, ...found.needs.filter((need) => !mine.includes(need))],
    mine: mine.length,
    claims,
  };
}

/** Whether a need names the person, by name or by a label of their token. */
const isNamed = ({ agent, who }: Need, name: string): boolean =>
  [agent, who].some((label) => isLabelOf(label?.toLowerCase() ?? '', name));

/** What needs a person now, most urgent first, and the state of everything else. This is the only place that decides it. */
export function needsOf(facts: NeedsFacts): Needs {
  const { board, failed, parked, overBudget, submitted, overlaps, runs, ready, claimed, now, consoleTrouble } = facts;
  const claims = board.sessions.flatMap((session) => session.claims.map((claim) => ({ session, claim })));
  const troubled = claims.filter(({ claim }) => claim.health === 'orphaned' || claim.health === 'stalled');
  const waiting = board.sessions.filter(isWaiting);
  const needs = [
    ...waiting.map(agentWaiting),
    ...troubled.map(({ session, claim }) => claimInTrouble(session, claim, facts.here ?? session.host)),
    ...board.trees.filter(({ contested }) => contested).map((tree) => contestedTree(tree, facts.here ?? tree.host)),
    ...overlappingTrees(overlaps, board.trees),
    ...failed.map(failedNode),
    ...parked.map(parkedNode),
    ...overBudget.map(spentPlan),
    ...submitted.flatMap((node) => submittedNode(node, now)),
    ...(facts.unsigned ?? []).map(unsignedNode),
    ...(facts.leavers ?? []).map(claimOfLeaver),
    ...(facts.hosts ?? []).flatMap((host) => [...hostTrouble(host)]),
    ...(facts.replaced ? [replacedHistory(facts.replaced)] : []),
    ...runs.filter(isFailingNow).map(failingRun),
    ...runs.filter(({ state }) => state === 'unreadable').map(unreadableRun),
    ...(consoleTrouble ? [about('console_unreadable', '', 'Run console', consoleTrouble, {})] : []),
    ...board.trees.filter(({ needsCleanup }) => needsCleanup).map(worktreeToClean),
  ];
  return {
    needs: needs.sort((a, b) => needOrder.indexOf(a.kind) - needOrder.indexOf(b.kind) || oldestFirst(a, b)),
    counts: {
      sessions: board.sessions.filter(({ live }) => live).length,
      waiting: waiting.length,
      claimed,
      troubledClaims: troubled.length,
      ready,
      liveRuns: runs.filter(({ state }) => state === 'running').length,
    },
  };
}

export const isWaiting = ({ live, activity }: Pick<Session, 'live' | 'activity'>): boolean =>
  live && activity === 'waiting';

const isFailingNow = ({ state, failed }: RunSummary): boolean => state === 'running' && failed > 0;

const oldestFirst = (a: Need, b: Need): number =>
  (a.since ?? '').localeCompare(b.since ?? '') || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

const nameOf = ({ title, sessionId }: Session): string => title ?? sessionId.slice(0, 8);

const refOf = ({ plan, node }: SessionClaim): string => `${plan}/${node}`;

function agentWaiting(session: Session): Need {
  const { sessionId, host, tool, since, reason, cwd, tree, claims } = session;
  const [claim] = claims;
  const holding = claim ? ` It holds ${claims.map(refOf).join(', ')}.` : '';
  return about('agent_waiting', sessionId, nameOf(session), `${waitingText(reason)}${holding}`, {
    since,
    host,
    tool,
    sessionId,
    root: tree ?? cwd,
    ref: claim ? refOf(claim) : null,
    agent: claim?.agent ?? null,
    possibly: claim?.correlation === 'inferred',
  });
}

/** The reason is `waiting:permission prompt`, or the question tool that is open. */
export function waitingText(reason: string): string {
  const what = /^waiting:(.*)$/.exec(reason)?.[1] ?? '';
  if (/permission|approv|tool/i.test(what)) return 'Waits for a permission.';
  return 'Waits for an answer.';
}

function claimInTrouble(session: Session, claim: SessionClaim, here: string): Need {
  const { sessionId, host, tool, since, cwd, tree, reason } = session;
  const ref = refOf(claim);
  const isOrphaned = claim.health === 'orphaned';
  const possibly = claim.correlation === 'inferred';
  const whose = possibly ? `A session that is possibly ${claim.agent}'s` : `The session of ${claim.agent}`;
  const state = isOrphaned ? `ended (${reason.replaceAll('_', ' ')})` : 'is idle between turns';
  const detail = `${whose} ${state}; the lease lasts until ${claim.expiresAt}.`;
  return about(isOrphaned ? 'claim_orphaned' : 'claim_stalled', ref, ref, detail, {
    since,
    host,
    tool,
    sessionId,
    ref,
    possibly,
    agent: claim.agent,
    root: tree ?? cwd,
    // In another directory the command would start a different session, or fail.
    command: isOrphaned && host === here ? resumeCommand(session) : null,
  });
}

const treeName = ({ repository, root, worktree }: Tree): string => {
  const folder = root.split(/[\\/]/).pop() || root;
  return worktree || !repository ? [repository, folder].filter(Boolean).join(', worktree ') : repository;
};

function contestedTree(tree: Tree, here: string): Need {
  const { host, root, live } = tree;
  const who = live.length > 1 ? `${live.length} live sessions work` : 'Two processes of one session work';
  return about(
    'tree_contested',
    `${host} ${root}`,
    treeName(tree),
    `${who} in ${root}${host === here ? '' : ` on ${host}`}.`,
    {
      host,
      root,
      sessionId: live[0] ?? null,
    },
  );
}

/** One need for each set of trees, because one merge settles all their files. */
function overlappingTrees(overlaps: readonly Overlap[], trees: readonly Tree[]): Need[] {
  const groups = new Map<string, Overlap[]>();
  for (const overlap of overlaps.filter(({ kind }) => kind === 'same_lines')) {
    const key = overlap.trees.map(({ host, root }) => `${host} ${root}`).join(', ');
    groups.set(key, [...(groups.get(key) ?? []), overlap]);
  }
  return [...groups].flatMap(([key, items]) => {
    const [first] = items;
    return first ? [overlappingLines(key, first, items, trees)] : [];
  });
}

function overlappingLines(key: string, first: Overlap, items: readonly Overlap[], trees: readonly Tree[]): Need {
  const names = first.trees.map(({ host, root, branch }) => {
    const owner = trees.find((tree) => tree.host === host && tree.root === root)?.owners[0];
    return owner?.agent ?? branch ?? root;
  });
  const who = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const more = items.length === 1 ? '' : ` and of ${items.length - 1} more ${items.length === 2 ? 'file' : 'files'}`;
  const [since = null] = items.map((item) => item.since).sort();
  const refs = first.trees.flatMap(({ claims }) => claims);
  return about('lines_overlap', key, first.path, `${who} change the same lines of ${first.path}${more}.`, {
    since,
    host: first.trees[0]?.host ?? null,
    root: first.trees[0]?.root ?? null,
    ref: refs[0] ?? null,
    sessionId: first.trees[0]?.sessions[0] ?? null,
    command: `signalbox overlaps --repository ${first.repository}`,
  });
}

function failedNode({ ref, title, claimedBy, evidence }: FailedNode): Need {
  const detail = evidence ? `Evidence: ${evidence.detail}` : 'Its evidence failed.';
  return about('node_failed', ref, title, detail, {
    ref,
    agent: claimedBy,
    since: evidence?.observedAt ?? null,
    runId: evidence?.runId ?? null,
    url: evidence?.url ?? null,
  });
}

const notesShown = 3;

function spentPlan({ slug, title, budget, spent, ready }: SpentPlan): Need {
  const waiting = ready === 0 ? '' : ` ${ready} ready ${ready === 1 ? 'node is' : 'nodes are'} not handed out.`;
  return about(
    'node_parked',
    slug,
    title,
    `${describeSpent(spent, budget)}.${waiting} Raise the budget of the plan.`,
    {},
  );
}

const describeSpent = ({ tokens }: ParkedNode['spent'], budget: ParkedNode['budget']): string =>
  `${tokens.toLocaleString('en')} of ${(budget?.tokens ?? 0).toLocaleString('en')} tokens are used`;

function parkedNode({ ref, title, parked, attempts: { failed, last }, spent, budget }: ParkedNode): Need {
  if (parked === 'budget') {
    return about('node_parked', ref, title, `${describeSpent(spent, budget)}. Raise the budget of the node.`, { ref });
  }
  const notes = last.slice(0, notesShown).map(({ agent, note, how }) => {
    const left = note === null ? '' : `: ${note}`;
    return `${agent} ${how === 'expired' ? 'let the lease expire' : 'released it'}${left}`;
  });
  const detail = `${failed} ${failed === 1 ? 'attempt' : 'attempts'} failed. ${notes.join('; ')}.`;
  return about('node_parked', ref, title, detail, {
    ref,
    agent: last[0]?.agent ?? null,
    since: last[0]?.at ?? null,
    command: `signalbox reset ${ref}`,
  });
}

/** An automatic proof arrives or times out, so no person is needed. */
function submittedNode({ ref, title, binding, submission, evidence }: SubmittedNode, now: string): Need[] {
  if (!submission || submission.until !== null) return [];
  const { agent, at } = submission;
  const detail = binding
    ? `Submitted by ${agent} ${ago(at, now)}; ${awaited(binding, evidence)}.`
    : `Submitted by ${agent} ${ago(at, now)}, but it has no binding, so nothing can prove it. Bind it.`;
  return [about('node_submitted', ref, title, detail, { ref, agent, since: at, url: evidence?.url ?? null })];
}

function unsignedNode({ ref, title, who, workedOn }: UnsignedNode): Need {
  const after = workedOn ? ` ${workedOn.agent} worked on it last.` : '';
  return about('sign_off_awaited', ref, title, `Waits for the sign-off of ${who ?? 'a person'}.${after}`, {
    ref,
    who,
    since: workedOn?.at ?? null,
    command: `signalbox sign_off_node --plan ${ref.replace('/', ' --node ')}`,
  });
}

function claimOfLeaver({ ref, agent, token, endedAt, how, expiresAt }: LeftClaim): Need {
  const ended = how === 'revoked' ? 'was revoked' : 'expired';
  const detail = `${agent} holds it, and the token ${token} ${ended}; the lease lasts until ${expiresAt}. An admin may release it.`;
  return about('claim_of_ended_token', ref, ref, detail, {
    ref,
    agent,
    since: endedAt,
    command: `signalbox release ${ref} --as ${agent}`,
  });
}

/** The awaited pull request, by its number if one was found. */
const awaitedPullRequest = (binding: PullRequestBinding, evidence: EvidenceView | null): string =>
  binding.pullRequest ??
  evidence?.detail.match(/^pull request #\d{1,10}/)?.[0] ??
  `the pull request ${describePullRequest(binding)}`;

function awaited(binding: Binding, evidence: EvidenceView | null): string {
  if (binding.kind === 'issue') return `${binding.issue} is still open`;
  if (binding.kind === 'pullRequest') return `${awaitedPullRequest(binding, evidence)} is not merged yet`;
  return evidence?.detail ?? 'its proof has not been observed yet';
}

function failingRun({ runId, suite, host, failed, scenariosFinished, startedAt, repositoryName }: RunSummary): Need {
  const where = repositoryName === null ? '' : ` in ${repositoryName}`;
  const detail = `${failed} of ${scenariosFinished} finished tests failed${where}; the run continues.`;
  return about('run_failing', runId, suite, detail, { runId, host, since: startedAt });
}

function unreadableRun({ runId, suite, host, receivedAt }: RunSummary): Need {
  const detail = `The archive of the run ${runId} cannot be read, so the run proves nothing. Restore the file, or eject the run.`;
  return about('run_unreadable', runId, suite, detail, { runId, host, since: receivedAt });
}

function worktreeToClean(tree: Tree): Need {
  const { host, root } = tree;
  const detail = 'All its sessions are gone and the worktree is still on disk.';
  return about('worktree_cleanup', `${host} ${root}`, treeName(tree), detail, {
    host,
    root,
    command: cleanupCommand(tree),
  });
}
