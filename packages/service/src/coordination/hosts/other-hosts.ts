import { awayAfterMs, type HostRow, type ItemKey } from '../../kernel/host-table.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { SharedKind, SharedRun } from './contract.ts';
import { isSharedItem, keepItem, noItems, type SharedItems, sharedKinds } from './shared-item.ts';

/** Another host, as of its last heartbeat. */
export type OtherHost = SharedItems & {
  key: string;
  name: string;
  url: string | null;
  revision: number;
  away: boolean;
  /** Monotonic time of its last heartbeat. */
  lastHeardAt: number;
};

/** The changes of one poll, as ids for the views that show them. */
export type HostChanges = {
  sessions: string[];
  trees: string[];
  runs: RunSummary[];
  ejected: string[];
  verdicts: boolean;
  tests: boolean;
  /** Whether the changes of working trees differ now. */
  changes: boolean;
};

const noChanges = (): HostChanges => ({
  sessions: [],
  trees: [],
  runs: [],
  ejected: [],
  verdicts: false,
  tests: false,
  changes: false,
});

/** The folded items of all other hosts. `version` increases with every change. */
export class OtherHosts {
  readonly #hosts = new Map<string, OtherHost>();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  all(): Iterable<OtherHost> {
    return this.#hosts.values();
  }

  /** Revisions by host, from which the next poll continues. */
  revisions(): Record<string, number> {
    return Object.fromEntries([...this.#hosts].map(([key, { revision }]) => [key, revision]));
  }

  /** Called after the store was replaced by another, in which the same revisions may belong to other items. */
  readAgain(): void {
    for (const host of this.#hosts.values()) host.revision = -1;
  }

  /**
   * Applies the rows that were read at `now` and are newer than the revisions in `asked`. Returns what changed, and the
   * hosts of which removed items are still stored here.
   */
  fold(
    rows: readonly HostRow[],
    now: number,
    asked: Readonly<Record<string, number>> = this.revisions(),
  ): { moved: HostChanges; overfull: string[] } {
    const moved = noChanges();
    const listed = new Set(rows.map(({ key }) => key));
    for (const [key, host] of this.#hosts) if (!listed.has(key)) this.#drop(key, host, moved);
    const overfull = rows.filter((row) => this.#applyRow(row, now, asked[row.key] ?? -1, moved)).map(({ key }) => key);
    if (hasChanges(moved)) this.#version += 1;
    return { moved, overfull };
  }

  #applyRow(row: HostRow, now: number, askedFrom: number, moved: HostChanges): boolean {
    const { key, name, url, revision, silentMs, changed } = row;
    const before = this.#hosts.get(key);
    const host = before ?? { ...noItems(), key, name, url, revision, away: false, lastHeardAt: now };
    // A lower revision means that the store was restored. If that was noticed during the poll, its rows lack items
    // older than the requested revisions. In both cases the next poll requests everything again.
    const isWhole = revision >= host.revision && askedFrom <= host.revision;
    Object.assign(host, { name, url, revision: isWhole ? revision : -1, lastHeardAt: now - silentMs });
    this.#hosts.set(key, host);
    for (const item of changed.filter(isSharedItem)) {
      keepItem(host, item);
      noteChange(moved, host, item);
    }
    this.#updateAway(host, now, moved);
    return countOf(host) > row.items;
  }

  /** Drops the items that a host no longer shares. */
  retainOnly(key: string, keys: readonly ItemKey[]): HostChanges {
    const moved = noChanges();
    const host = this.#hosts.get(key);
    const retained = new Set(keys.map(({ kind, id }) => `${kind} ${id}`));
    for (const kind of host ? sharedKinds : []) {
      for (const id of host?.[kind].keys() ?? [])
        if (!retained.has(`${kind} ${id}`)) this.#remove(host, kind, id, moved);
    }
    if (hasChanges(moved)) this.#version += 1;
    return moved;
  }

  /** A run that its host has just ejected at our request. */
  dropRun(runId: string): HostChanges {
    const moved = noChanges();
    for (const host of this.#hosts.values()) this.#remove(host, 'run', runId, moved);
    if (hasChanges(moved)) this.#version += 1;
    return moved;
  }

  /** Marks hosts as away, or back, by the time since their last heartbeat. */
  checkSilence(now: number): HostChanges {
    const moved = noChanges();
    for (const host of this.#hosts.values()) this.#updateAway(host, now, moved);
    if (hasChanges(moved)) this.#version += 1;
    return moved;
  }

  #updateAway(host: OtherHost, now: number, moved: HostChanges): void {
    const away = now - host.lastHeardAt > awayAfterMs;
    if (away === host.away) return;
    host.away = away;
    moved.sessions.push(...host.session.keys());
    moved.changes ||= host.changes.size > 0;
    moved.trees.push(...[...host.tree.values()].map(({ root }) => root));
    moved.runs.push(...[...host.run.values()].filter(isLive).map((shared) => runOf(host, shared)));
    this.#version += 1;
  }

  #drop(key: string, host: OtherHost, moved: HostChanges): void {
    for (const kind of sharedKinds) for (const id of [...host[kind].keys()]) this.#remove(host, kind, id, moved);
    this.#hosts.delete(key);
    this.#version += 1;
  }

  #remove(host: OtherHost | undefined, kind: SharedKind, id: string, moved: HostChanges): void {
    if (!host?.[kind].has(id)) return;
    if (kind === 'run') moved.ejected.push(id);
    else noteChange(moved, host, { kind, id });
    host[kind].delete(id);
  }
}

/** A run of that host in the form that is shown. */
export const runOf = ({ away }: Pick<OtherHost, 'away'>, { run }: SharedRun): RunSummary =>
  away ? runWithoutHost(run) : run;

const isLive = ({ run }: SharedRun): boolean => run.state === 'running';

const countOf = (host: SharedItems): number => sharedKinds.reduce((count, kind) => count + host[kind].size, 0);

function noteChange(moved: HostChanges, items: SharedItems, { kind, id }: { kind: SharedKind; id: string }): void {
  const [tree, shared] = [items.tree.get(id), items.run.get(id)];
  if (kind === 'session') moved.sessions.push(id);
  else if (kind === 'tree' && tree) moved.trees.push(tree.root);
  else if (kind === 'run' && shared) moved.runs.push(shared.run);
  else if (kind === 'changes') moved.changes = true;
  else if (kind === 'verdict' || kind === 'model') moved.verdicts = true;
  else if (kind === 'tests') moved.tests = true;
}

export const hasChanges = ({ sessions, trees, runs, ejected, verdicts, tests, changes }: HostChanges): boolean =>
  verdicts || tests || changes || sessions.length + trees.length + runs.length + ejected.length > 0;

/** A run on an unreachable host: if it was live, its end is unknown. */
export function runWithoutHost(run: RunSummary): RunSummary {
  if (run.state !== 'running') return run;
  const expected = Math.max(run.scenarios, run.totalScenarios ?? 0);
  const lost = Math.max(0, expected - run.scenariosFinished - run.indeterminate);
  return { ...run, state: 'orphaned', orphaned: true, green: false, running: 0, lost };
}
