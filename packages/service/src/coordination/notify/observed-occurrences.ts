import { type Clock, iso } from '../../kernel/clock.ts';
import type { Announcement } from '../../kernel/messages.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import type { RunSummary } from '../../kernel/run-summary.ts';
import { type Occurrence, occurrenceId } from '../../receivers/occurrence.ts';
import type { SessionFacts } from '../agents/session-state.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { RunSource } from '../runs/ports.ts';
import { gitHubRepositoryOf, speaksForCommit } from './github-report.ts';

type Observed = {
  runs: Pick<RunSource, 'list' | 'retried' | 'tests'>;
  sessions: () => readonly SessionFacts[];
  trees: () => readonly TreeFacts[];
  clock: Pick<Clock, 'wall'>;
};

const mostTests = 20;

/** Occurrences outside the log: of sessions, trees and runs. */
export class ObservedOccurrences {
  readonly #deps: Observed;
  /** Sessions and trees as they were last seen; their state at startup is not announced. */
  #waiting: ReadonlySet<string> | null = null;
  #contested: ReadonlySet<string> | null = null;

  constructor(deps: Observed) {
    this.#deps = deps;
  }

  async fromMessage(message: Announcement): Promise<Occurrence[]> {
    if (message.type === 'agents_changed') return this.fromAgents();
    return message.type === 'run_changed' ? this.#fromRun(message.data.run) : [];
  }

  /** The first call only stores the state. */
  fromAgents(): Occurrence[] {
    const sessions = this.#deps.sessions();
    const now = iso(this.#deps.clock.wall());
    const waiting = sessions.filter(({ live, activity }) => live && activity === 'waiting');
    const contested = this.#deps.trees().filter((tree) => tree.contested);
    const [before, treesBefore] = [this.#waiting, this.#contested];
    this.#waiting = new Set(waiting.map(({ sessionId }) => sessionId));
    this.#contested = new Set(contested.map(treeKeyOf));
    return [
      ...waiting.filter(({ sessionId }) => before && !before.has(sessionId)).map((one) => sessionWaiting(one, now)),
      ...contested
        .filter((tree) => treesBefore && !treesBefore.has(treeKeyOf(tree)))
        .map((tree) => treeContested(tree, sessions, now)),
    ];
  }

  /** Runs that have ended since `since`, for a start after a crash. */
  async endedSince(since: string): Promise<Occurrence[]> {
    const { runs } = await this.#deps.runs.list();
    const ended = runs.filter(({ endedAt }) => endedAt !== null && endedAt >= since);
    return (await Promise.all(ended.reverse().map((run) => this.#fromRun(run)))).flat();
  }

  async #fromRun(run: RunSummary): Promise<Occurrence[]> {
    // Null for a live run, and for a run that is not counted yet: it is announced once it is.
    if (run.green === null) return [];
    const retried = run.passedOnRetry > 0 ? await this.#newlyFlaky(run) : [];
    const flaky = retried.length === 0 ? [] : [testsFlaky(run, retried)];
    const always = [...(speaksForCommit(run) ? [runEnded(run)] : []), ...flaky];
    if (!run.green) return [runFailed(run), ...always];
    return (await this.#isRecovery(run)) ? [runRecovered(run), ...always] : always;
  }

  async #isRecovery(run: RunSummary): Promise<boolean> {
    const { runs } = await this.#deps.runs.list();
    const at = run.receivedAt ?? '';
    const earlier = runs
      .filter((one) => one.green !== null && isSameSuite(one, run) && (one.receivedAt ?? '') < at)
      .sort((a, b) => ((a.receivedAt ?? '') < (b.receivedAt ?? '') ? 1 : -1));
    return earlier[0]?.green === false;
  }

  /** Tests that passed on a retry and were retried in no other recent run of their suite. */
  async #newlyFlaky(run: RunSummary): Promise<readonly string[]> {
    const retried = (await this.#deps.runs.retried(run)).map(({ uid }) => uid);
    const known = await this.#deps.runs.tests({ suite: run.suite, repository: run.repository }, 'flaky');
    if (isRefusal(known)) return run.green ? retried : [];
    const others = new Set(
      known.filter((test) => test.retried > 1 || test.recent[0] === 'Failed').map(({ uid }) => uid),
    );
    return retried.filter((uid) => !others.has(uid));
  }
}

/** Hosts of a team often have their clones at the same path. */
const treeKeyOf = ({ host, root }: TreeFacts): string => `${host} ${root}`;

const isSameSuite = (a: RunSummary, b: RunSummary): boolean =>
  a.suite === b.suite && a.branch === b.branch && placeOf(a) === placeOf(b);

const placeOf = ({ repositoryId, repositoryName, repository }: RunSummary): string =>
  repositoryId ?? repositoryName ?? repository;

function sessionWaiting(session: SessionFacts, now: string): Occurrence {
  const { sessionId, host, tool, title, reason, since, tree, cwd, repository, branch } = session;
  return {
    id: occurrenceId('session_waiting', sessionId, since ?? now),
    type: 'session_waiting',
    subject: sessionId,
    at: now,
    text: `${title ?? `${tool} session ${sessionId.slice(0, 8)}`} waits for a person.`,
    data: { host, tool, title, reason, since, root: tree ?? cwd, repository, branch },
  };
}

function treeContested(
  { host, root, sessions: ids }: TreeFacts,
  sessions: readonly SessionFacts[],
  now: string,
): Occurrence {
  const live = sessions.filter((session) => session.live && ids.includes(session.sessionId));
  const who = live.length > 1 ? `${live.length} live sessions work` : 'Two processes of one session work';
  return {
    id: occurrenceId('tree_contested', now, host, root),
    type: 'tree_contested',
    subject: root,
    at: now,
    text: `${who} in ${root}.`,
    data: { host, root, sessions: live.map(({ sessionId }) => sessionId) },
  };
}

const nameOf = ({ suite, branch }: RunSummary): string => (branch === null ? suite : `${suite} on ${branch}`);

const runData = (run: RunSummary): Record<string, unknown> => {
  const { suite, repositoryName, branch, commit, tag, host, state, exitCode, scenarios, passed, failed } = run;
  const { passedOnRetry, skipped, indeterminate, lost, publisher, session } = run;
  return {
    ...{ suite, repository: repositoryName, branch, commit, tag, host, state, exitCode, scenarios, passed, failed },
    ...{ passedOnRetry, skipped, indeterminate, lost, publisher, session },
  };
};

const runOccurrence = (run: RunSummary, type: Occurrence['type'], text: string): Occurrence => ({
  id: occurrenceId(type, run.runId, run.state),
  type,
  subject: run.runId,
  at: run.endedAt ?? run.lastEventAt ?? run.receivedAt ?? '',
  text,
  data: runData(run),
});

function runFailed(run: RunSummary): Occurrence {
  const { state, failed, indeterminate, lost, scenarios, exitCode } = run;
  const missing = lost + indeterminate;
  const counts =
    failed + missing > 0 || exitCode === 0
      ? `${failed} failed, ${missing} without a verdict, of ${scenarios}`
      : `exit code ${exitCode ?? 'unknown'}`;
  const text =
    state === 'orphaned'
      ? `${nameOf(run)} is orphaned: its publisher stopped sending (${counts}).`
      : `${nameOf(run)} failed: ${counts}.`;
  return runOccurrence(run, 'run_failed', text);
}

/** Its subject is the commit and context for which GitHub keeps one status. */
const runEnded = (run: RunSummary): Occurrence => {
  const { text } = run.green
    ? { text: `${run.passed + run.passedOnRetry} of ${run.scenarios} passed` }
    : runFailed(run);
  const occurrence = runOccurrence(run, 'run_ended', text);
  const repository = gitHubRepositoryOf(run);
  const subject = `${repository}@${run.commit} ${run.suite}`;
  return { ...occurrence, subject, data: { ...occurrence.data, repository, green: run.green } };
};

const runRecovered = (run: RunSummary): Occurrence =>
  runOccurrence(run, 'run_recovered', `${nameOf(run)} is green again: ${run.passed + run.passedOnRetry} passed.`);

function testsFlaky(run: RunSummary, uids: readonly string[]): Occurrence {
  const [first] = uids;
  const what = uids.length === 1 ? `${first} passed` : `${uids.length} tests passed`;
  const occurrence = runOccurrence(run, 'test_flaky', `${what} only when retried, in ${nameOf(run)}.`);
  return { ...occurrence, data: { ...occurrence.data, tests: uids.slice(0, mostTests), testsTotal: uids.length } };
}
