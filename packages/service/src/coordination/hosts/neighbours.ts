import { awayAfterMs, type HostRow, type ItemKey } from '../../kernel/host-table.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { Kind, Shared } from './contract.ts';

type Items = { [K in Kind]: Map<string, Shared[K]> };

/** Another host as it was last heard of. */
export type Neighbour = Items & {
  key: string;
  name: string;
  url: string | null;
  revision: number;
  away: boolean;
};

/** What a look brought: ids for whoever shows them. */
export type Moved = {
  sessions: string[];
  trees: string[];
  runs: RunSummary[];
  ejected: string[];
  verdicts: boolean;
};

const nothing = (): Moved => ({ sessions: [], trees: [], runs: [], ejected: [], verdicts: false });

/** What the other hosts share, folded. Grows `version` whenever anything reads differently. */
export class Neighbours {
  readonly #hosts = new Map<string, Neighbour & { heardAt: number }>();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  all(): Iterable<Neighbour> {
    return this.#hosts.values();
  }

  /** For the next look. */
  known(): Record<string, number> {
    return Object.fromEntries([...this.#hosts].map(([key, { revision }]) => [key, revision]));
  }

  /** Takes in a look made at `now`; answers what moved, and of which hosts something that was removed is still held. */
  take(rows: readonly HostRow[], now: number): { moved: Moved; overfull: string[] } {
    const moved = nothing();
    const listed = new Set(rows.map(({ key }) => key));
    for (const [key, host] of this.#hosts) if (!listed.has(key)) this.#drop(key, host, moved);
    const overfull = rows.filter((row) => this.#takeHost(row, now, moved)).map(({ key }) => key);
    if (isAny(moved)) this.#version += 1;
    return { moved, overfull };
  }

  #takeHost(row: HostRow, now: number, moved: Moved): boolean {
    const { key, name, url, revision, silentMs, changed } = row;
    const before = this.#hosts.get(key);
    const host = before ?? { ...empty(), key, name, url, revision, away: false, heardAt: now };
    // One that went back in time was restored: the next look asks for all of it again.
    Object.assign(host, { name, url, revision: revision < host.revision ? -1 : revision, heardAt: now - silentMs });
    this.#hosts.set(key, host);
    for (const { kind, id, body } of changed) {
      if (!(kind in host)) continue;
      (host[kind as Kind] as Map<string, object>).set(id, body);
      note(moved, kind as Kind, id, body);
    }
    this.#turn(host, now, moved);
    return countOf(host) > row.items;
  }

  /** Keeps of a host only what it still shares. */
  keep(key: string, keys: readonly ItemKey[]): Moved {
    const moved = nothing();
    const host = this.#hosts.get(key);
    const kept = new Set(keys.map(({ kind, id }) => `${kind} ${id}`));
    for (const kind of host ? kinds : []) {
      for (const id of host?.[kind].keys() ?? []) if (!kept.has(`${kind} ${id}`)) this.#remove(host, kind, id, moved);
    }
    if (isAny(moved)) this.#version += 1;
    return moved;
  }

  /** A run that its host has just ejected on our behalf. */
  dropRun(runId: string): Moved {
    const moved = nothing();
    for (const host of this.#hosts.values()) this.#remove(host, 'run', runId, moved);
    if (isAny(moved)) this.#version += 1;
    return moved;
  }

  /** Who has fallen silent meanwhile. */
  listen(now: number): Moved {
    const moved = nothing();
    for (const host of this.#hosts.values()) this.#turn(host, now, moved);
    if (isAny(moved)) this.#version += 1;
    return moved;
  }

  #turn(host: Neighbour & { heardAt: number }, now: number, moved: Moved): void {
    const away = now - host.heardAt > awayAfterMs;
    if (away === host.away) return;
    host.away = away;
    moved.sessions.push(...host.session.keys());
    moved.trees.push(...[...host.tree.values()].map(({ root }) => root));
    this.#version += 1;
  }

  #drop(key: string, host: Neighbour, moved: Moved): void {
    for (const kind of kinds) for (const id of [...host[kind].keys()]) this.#remove(host, kind, id, moved);
    this.#hosts.delete(key);
    this.#version += 1;
  }

  #remove(host: Neighbour | undefined, kind: Kind, id: string, moved: Moved): void {
    const body = host?.[kind].get(id);
    if (!host || !body) return;
    host[kind].delete(id);
    if (kind === 'run') moved.ejected.push(id);
    else note(moved, kind, id, body);
  }
}

const empty = (): Items => ({
  session: new Map(),
  tree: new Map(),
  run: new Map(),
  verdict: new Map(),
  model: new Map(),
  clone: new Map(),
});
const kinds = Object.keys(empty()) as Kind[];

const countOf = (host: Items): number => kinds.reduce((count, kind) => count + host[kind].size, 0);

function note(moved: Moved, kind: Kind, id: string, body: object): void {
  if (kind === 'session') moved.sessions.push(id);
  else if (kind === 'tree') moved.trees.push((body as Shared['tree']).root);
  else if (kind === 'run') moved.runs.push((body as Shared['run']).run);
  else if (kind !== 'clone') moved.verdicts = true;
}

export const isAny = ({ sessions, trees, runs, ejected, verdicts }: Moved): boolean =>
  verdicts || sessions.length + trees.length + runs.length + ejected.length > 0;
