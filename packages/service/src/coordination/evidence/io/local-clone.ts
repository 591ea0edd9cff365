import { askedVersion, isManifest } from '../manifests.ts';
import { takesVersion } from '../packages.ts';
import { blind, type Observer, type Seen, type Target } from '../ports.ts';
import { git, headOf } from './git.ts';

/** Where a registered repository lies on this host, and which branch it calls its default. */
export type Clones = (repository: string) => { paths: readonly string[]; defaultBranch: string | null };

type Head = { branch: string; sha: string };

/** Commits with the trailer, and what committed manifests take, in registered local clones. */
export class CloneObserver implements Observer {
  readonly kinds = ['commit', 'dependency'] as const;
  readonly #clones: Clones;
  readonly #trailers = new Map<string, Map<string, string>>();
  readonly #manifests = new Map<string, ReadonlyArray<readonly [path: string, text: string]>>();

  constructor(clones: Clones) {
    this.#clones = clones;
  }

  async look(targets: readonly Target[]): Promise<Seen[]> {
    const seen: Seen[] = [];
    for (const target of targets) seen.push(await this.#lookAt(target));
    return seen;
  }

  async #lookAt(target: Target): Promise<Seen> {
    const { binding } = target;
    const repository = binding.kind === 'dependency' ? binding.repository : target.repository;
    if (repository === null) return blind(target, 'the node names no repository to look into');
    const { paths, defaultBranch } = this.#clones(repository);
    if (paths.length === 0) {
      return blind(target, `no local clone of ${repository} is registered; register_repository names its paths`);
    }
    const branch = (binding.kind === 'commit' ? binding.branch : undefined) ?? defaultBranch ?? undefined;
    for (const path of paths) {
      const head = await headOf(path, branch);
      if (head)
        return binding.kind === 'commit' ? this.#commitIn(target, path, head) : this.#dependencyIn(target, path, head);
    }
    return blind(target, `no registered clone of ${repository} has ${branch ?? 'a default branch'} here`);
  }

  async #commitIn(target: Target, path: string, head: Head): Promise<Seen> {
    const key = `${path} ${head.sha}`;
    const found = this.#trailers.get(key) ?? (await trailersIn(path, head.sha));
    if (!found) return blind(target, 'the clone could not be read');
    keepOne(this.#trailers, path, key, found);
    const sha = found.get(`${target.ref.plan}/${target.ref.node}`.toLowerCase());
    if (sha === undefined) {
      return {
        target,
        observation: { state: 'noCommit', detail: `no commit on ${head.branch} carries the trailer yet` },
      };
    }
    const detail = `commit ${sha.slice(0, 12)} on ${head.branch} carries the trailer`;
    return { target, observation: { state: 'committed', detail } };
  }

  async #dependencyIn(target: Target, path: string, head: Head): Promise<Seen> {
    const { binding } = target;
    if (binding.kind !== 'dependency') return blind(target, 'the binding names no dependency');
    const key = `${path} ${head.sha}`;
    const found = this.#manifests.get(key) ?? (await manifestsIn(path, head.sha));
    if (!found) return blind(target, 'the clone could not be read');
    keepOne(this.#manifests, path, key, found);
    const asked = found.flatMap(([file, text]) => askedVersion(file, text, binding.name) ?? []);
    const taken = asked.find((version) => takesVersion(version, binding.version));
    if (taken !== undefined) {
      return { target, observation: { state: 'taken', detail: `${head.branch} takes ${binding.name} ${taken}` } };
    }
    const detail =
      asked.length > 0
        ? `${head.branch} takes ${binding.name} ${asked[0]}, not ${binding.version}`
        : `${head.branch} does not take ${binding.name} yet`;
    return { target, observation: { state: 'notTaken', detail } };
  }
}

/** What was read at a commit never changes; only the newest of each clone is kept. */
function keepOne<Value>(cache: Map<string, Value>, path: string, key: string, value: Value): void {
  if (cache.has(key)) return;
  for (const other of cache.keys()) if (other.startsWith(`${path} `)) cache.delete(other);
  cache.set(key, value);
}

async function trailersIn(path: string, sha: string): Promise<Map<string, string> | undefined> {
  const text = await git(path, [
    'log',
    '-z',
    '--extended-regexp',
    '--regexp-ignore-case',
    '--grep=^Plan-Node:',
    '--format=%H%n%(trailers:key=Plan-Node,valueonly)',
    sha,
    '--',
  ]);
  if (text === undefined) return undefined;
  const found = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const [commit = '', ...refs] = entry.trim().split('\n');
    for (const ref of refs)
      if (ref.trim() !== '' && !found.has(ref.trim().toLowerCase())) found.set(ref.trim().toLowerCase(), commit);
  }
  return found;
}

async function manifestsIn(path: string, sha: string): Promise<Array<readonly [string, string]> | undefined> {
  const listing = await git(path, ['ls-tree', '-r', '-z', '--name-only', sha]);
  if (listing === undefined) return undefined;
  const files = listing.split('\0').filter(isManifest).slice(0, 500);
  const texts = await Promise.all(
    files.map(async (file) => [file, (await git(path, ['show', `${sha}:${file}`])) ?? ''] as const),
  );
  return texts;
}
