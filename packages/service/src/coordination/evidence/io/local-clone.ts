import { askedVersion } from '../manifests.ts';
import { takesVersion } from '../packages.ts';
import { blind, type Observer, type Seen, type Target } from '../ports.ts';
import { type Manifests, manifestsIn, trailersIn } from './clone-contents.ts';
import { type Head, headOf } from './git.ts';

/** Where a registered repository lies on this host, and which branch it calls its default. */
export type Clones = (repository: string) => { paths: readonly string[]; defaultBranch: string | null };

/** What was read at a commit never changes; of each branch of a clone only the newest is kept. */
type Kept<Value> = Map<string, { sha: string; value: Value }>;

/** Commits with the trailer, and what committed manifests take, in registered local clones. */
export class CloneObserver implements Observer {
  readonly kinds = ['commit', 'dependency'] as const;
  readonly #clones: Clones;
  readonly #trailers: Kept<Map<string, string>> = new Map();
  readonly #manifests: Kept<Manifests> = new Map();

  constructor(clones: Clones) {
    this.#clones = clones;
  }

  async look(targets: readonly Target[]): Promise<Seen[]> {
    for (const [key, { value }] of this.#manifests) if (value.unread.length > 0) this.#manifests.delete(key);
    const heads = new Map<string, Promise<Head | undefined>>();
    const headIn = (path: string, branch: string | undefined) => {
      const key = `${path}\0${branch ?? ''}`;
      const head = heads.get(key) ?? headOf(path, branch);
      heads.set(key, head);
      return head;
    };
    const seen: Seen[] = [];
    for (const target of targets) seen.push(await this.#lookAt(target, headIn));
    return seen;
  }

  async #lookAt(target: Target, headIn: typeof headOf): Promise<Seen> {
    const { binding } = target;
    const repository = binding.kind === 'dependency' ? binding.repository : target.repository;
    if (repository === null) return blind(target, 'the node names no repository to look into');
    const { paths, defaultBranch } = this.#clones(repository);
    if (paths.length === 0) {
      return blind(target, `no local clone of ${repository} is registered; register_repository names its paths`);
    }
    const branch = (binding.kind === 'commit' ? binding.branch : undefined) ?? defaultBranch ?? undefined;
    for (const path of paths) {
      const head = await headIn(path, branch);
      if (head)
        return binding.kind === 'commit' ? this.#commitIn(target, path, head) : this.#dependencyIn(target, path, head);
    }
    return blind(target, `no registered clone of ${repository} has ${branch ?? 'a default branch'} here`);
  }

  async #commitIn(target: Target, path: string, head: Head): Promise<Seen> {
    const found = await read(this.#trailers, path, head, trailersIn);
    if (!found) return blind(target, 'the clone could not be read');
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
    const found = await read(this.#manifests, path, head, manifestsIn);
    if (!found) return blind(target, 'the clone could not be read');
    const asked = found.files.flatMap(([file, text]) => askedVersion(file, text, binding.name) ?? []);
    const taken = asked.find((version) => takesVersion(version, binding.version));
    if (taken !== undefined) {
      return { target, observation: { state: 'taken', detail: `${head.branch} takes ${binding.name} ${taken}` } };
    }
    if (found.unread.length > 0) return blind(target, `${found.unread[0]} could not be read in the clone`);
    const detail =
      asked.length > 0
        ? `${head.branch} takes ${binding.name} ${asked[0]}, not ${binding.version}`
        : `${head.branch} does not take ${binding.name} yet`;
    return { target, observation: { state: 'notTaken', detail } };
  }
}

async function read<Value>(
  kept: Kept<Value>,
  path: string,
  { branch, sha }: Head,
  from: (path: string, sha: string) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const key = `${path}\0${branch}`;
  const known = kept.get(key);
  if (known?.sha === sha) return known.value;
  const value = await from(path, sha);
  if (value !== undefined) kept.set(key, { sha, value });
  return value;
}
