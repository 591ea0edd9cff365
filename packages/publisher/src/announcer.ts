import type { Settings } from './environment.ts';
import type { ParticipantFinished, ParticipantStarted } from './events.ts';
import { iso } from './iso.ts';
import type { Unaddressed } from './record.ts';
import { withPath } from './remote-id.ts';
import { type RunFacts, readRunFacts } from './run-facts.ts';

/** Names of a run that are not set in the environment. */
export type Names = { suite?: string; tool?: string; mode?: string };
type Around = { settings: Settings; names: Names; folder: string; startedAt: number };
type Publish = (event: Unaddressed) => void;
type Figures = {
  exitCode: number;
  passed: number;
  failed: number;
  passedOnRetry: number;
  skipped: number;
  indeterminate: number;
  interrupted: string | null;
};

/** The minimum time between two announcements of a growing total. */
const announceMs = 500;

/** Sends the start and end of a run, or of this process's part of it. */
export class Announcer {
  readonly participant: Participant | null;
  readonly #around: Around;
  readonly #publish: Publish;
  #facts: RunFacts | null = null;
  #last: { total: number | null; at: number } | null = null;

  constructor(around: Around, publish: Publish) {
    this.#around = around;
    this.#publish = publish;
    this.participant = participantOf(around.settings, around.names.tool ?? 'publisher');
  }

  /** Whether the start of the run was sent. */
  get begun(): boolean {
    return this.#last !== null;
  }

  get total(): number {
    return this.#last?.total ?? 0;
  }

  announce(total: number | null): void {
    const { settings, startedAt } = this.#around;
    this.#last = { total: Math.max(total ?? 0, this.total) || null, at: Date.now() };
    if (!settings.owned) this.#publish(this.#started());
    if (this.participant) this.#publish(this.participant.started(this.#last.total, iso(startedAt)));
  }

  grown(total: number): void {
    if (this.#last && total > this.total && Date.now() - this.#last.at >= announceMs) this.announce(total);
  }

  /** No shard owns the run: it ends with the last shard. */
  finish(figures: Figures): void {
    const { owned, shard } = this.#around.settings;
    const at = iso(Date.now());
    if (this.participant) this.#publish(this.participant.finished(figures, at));
    if (!owned && !(shard && this.participant)) this.#publish({ type: 'run_finished', ...figures, finishedAt: at });
  }

  #started(): Unaddressed {
    const { settings, names, folder, startedAt } = this.#around;
    this.#facts ??= readRunFacts(folder);
    const { repository, repositoryId, branch, commit, packageName, packagePath } = this.#facts;
    const { suite, tool, mode = 'in-process' } = names;
    const named = settings.suite ?? suite;
    return {
      type: 'run_started',
      suite: named ?? (tool ? `${packageName}:${tool}` : packageName),
      repository,
      repositoryId: named === undefined ? withPath(repositoryId, packagePath) : repositoryId,
      branch,
      mode,
      startedAt: iso(startedAt),
      // With several participants, each knows only its own part of the run.
      totalScenarios: this.participant ? null : (this.#last?.total ?? null),
      tag: settings.tag,
      session: settings.session,
      command: null,
      commit,
    };
  }
}

type Started = Omit<ParticipantStarted, 'runId'>;
type Finished = Omit<ParticipantFinished, 'runId'>;

/** The participant events of this process; null if it is the only one of its run. */
type Participant = {
  name: string;
  started(totalScenarios: number | null, at: string): Started;
  finished(figures: Omit<Finished, 'type' | 'participant' | 'at'>, at: string): Finished;
};

/** A run with a given id may have other participants; a shard states how many. */
function participantOf(settings: Settings, tool: string): Participant | null {
  const { shard } = settings;
  if (settings.runId === null) return null;
  const name = shard ? `${tool} ${shard.index}/${shard.count}` : `${tool} ${process.pid}`;
  const due = shard?.count ?? null;
  return {
    name,
    started: (totalScenarios, at) => ({
      type: 'participant_started',
      participant: name,
      due,
      totalScenarios,
      processId: process.pid,
      at,
    }),
    finished: (figures, at) => ({ type: 'participant_finished', participant: name, ...figures, at }),
  };
}
