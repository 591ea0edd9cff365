import { requestedVersion } from '../manifests.ts';
import { takesVersion } from '../packages.ts';
import { type EvidenceObserver, type EvidenceTarget, type TargetObservation, unobservable } from '../ports.ts';
import { type Manifests, manifestsIn, trailersIn } from './clone-contents.ts';
import { type BranchHead, branchHeadOf } from './git.ts';

/** Where a registered repository lies on this host, and which branch it calls its default. */
export type CloneLookup = (repository: string) => { paths: readonly string[]; defaultBranch: string | null };

/** What was read at a commit never changes; of each branch of a clone only the newest is kept. */
type CommitCache<Value> = Map<string, { sha: string; value: Value }>;

/** Commits with the trailer, and what committed manifests take, in registered local clones. */
export class CloneObserver implements EvidenceObserver {
  readonly kinds = ['commit', 'dependency'] as const;
  readonly #clones: CloneLookup;
  readonly #trailers: CommitCache<Map<string, string>> = new Map();
  readonly #manifests: CommitCache<Manifests> = new Map();

  constructor(clones: CloneLookup) {
    this.#clones = clones;
  }

  async observe(targets: readonly EvidenceTarget[]): Promise<TargetObservation[]> {
    for (const [key, { value }] of this.#manifests) if (value.unread.length > 0) this.#manifests.delete(key);
    const heads = new Map<string, Promise<BranchHead | undefined>>();
    const headIn = (path: string, branch: string | undefined) => {
      const key = `${path}\0${branch ?? ''}`;
      const head = heads.get(key) ?? branchHeadOf(path, branch);
      heads.set(key, head);
      return head;
    };
    const observations: TargetObservation[] = [];
    for (const target of targets) observations.push(await this.#observeTarget(target, headIn));
    return observations;
  }

  async #observeTarget(target: EvidenceTarget, headIn: typeof branchHeadOf): Promise<TargetObservation> {
    const { binding } = target;
    const repository = binding.kind === 'dependency' ? binding.repository : target.repository;
    if (repository === null) return unobservable(target, 'the node names no repository to look into');
    const { paths, defaultBranch } = this.#clones(repository);
    if (paths.length === 0) {
      return unobservable(target, `no local clone of ${repository} is registered; register_repository names its paths`);
    }
    const branch = (binding.kind === 'commit' ? binding.branch : undefined) ?? defaultBranch ?? undefined;
    for (const path of paths) {
      const head = await headIn(path, branch);
      if (head)
        return binding.kind === 'commit' ? this.#commitIn(target, path, head) : this.#dependencyIn(target, path, head);
    }
    return unobservable(target, `no registered clone of ${repository} has ${branch ?? 'a default branch'} here`);
  }

  async #commitIn(target: EvidenceTarget, path: string, head: BranchHead): Promise<TargetObservation> {
    const found = await readCached(this.#trailers, path, head, trailersIn);
    if (!found) return unobservable(target, 'the clone could not be read');
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

  async #dependencyIn(target: EvidenceTarget, path: string, head: BranchHead): Promise<TargetObservation> {
    const { binding } = target;
    if (binding.kind !== 'dependency') return unobservable(target, 'the binding names no dependency');
    const found = await readCached(this.#manifests, path, head, manifestsIn);
    if (!found) return unobservable(target, 'the clone could not be read');
    const asked = found.files.flatMap(([file, text]) => requestedVersion(file, text, binding.name) ?? []);
    const requiredVersion = asked.find((version) => takesVersion(version, binding.version));
    if (requiredVersion !== undefined) {
      return {
        target,
        observation: { state: 'taken', detail: `${head.branch} takes ${binding.name} ${requiredVersion}` },
      };
    }
    if (found.unread.length > 0) return unobservable(target, `${found.unread[0]} could not be read in the clone`);
    const detail =
      asked.length > 0
        ? `${head.branch} takes ${binding.name} ${asked[0]}, not ${binding.version}`
        : `${head.branch} does not take ${binding.name} yet`;
    return { target, observation: { state: 'notTaken', detail } };
  }
}

async function readCached<Value>(
  cache: CommitCache<Value>,
  path: string,
  { branch, sha }: BranchHead,
  from: (path: string, sha: string) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const key = `${path}\0${branch}`;
  const cached = cache.get(key);
  if (cached?.sha === sha) return cached.value;
  const value = await from(path, sha);
  if (value !== undefined) cache.set(key, { sha, value });
  return value;
}
