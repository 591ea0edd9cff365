import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { createSafeGitDir } from '../../../../../publisher/src/sender/safe-git-dir.ts';
import { git } from '../../../files/git.ts';
import { ownerName, parseGitConfig } from '../../../files/git-config.ts';
import { isUnresolved, requestedVersions, takesVersion } from '../packages.ts';
import { type EvidenceObserver, type EvidenceTarget, type TargetObservation, unobservable } from '../ports.ts';
import { type Manifests, manifestsIn, type Trailers, trailersIn } from './clone-contents.ts';

/** The paths of a registered repository on this host, and its default branch. */
export type CloneLookup = (repository: string) => { paths: readonly string[]; defaultBranch: string | null };

/** For each branch of a clone, what was read at its newest commit is kept, because it never changes. */
type CommitCache<Value> = Map<string, { sha: string; value: Value }>;

/** How long a check waits for a history that is read for the first time; the next check finds the result. */
const patienceMs = 10_000;
/** The limit for all manifests together, in bytes of text. */
const cachedBytes = 32 * 1024 * 1024;

/** Commits with the trailer, and the dependencies in committed manifests, in registered local clones. */
export class CloneObserver implements EvidenceObserver {
  readonly kinds = ['commit', 'dependency'] as const;
  readonly #clones: CloneLookup;
  readonly #access: CloneAccess;
  readonly #trailers: CommitCache<Trailers> = new Map();
  readonly #histories = new Map<string, Promise<Trailers | undefined>>();
  readonly #manifests: CommitCache<Manifests> = new Map();

  constructor(clones: CloneLookup, access: CloneAccess) {
    this.#clones = clones;
    this.#access = access;
  }

  async observe(targets: readonly EvidenceTarget[]): Promise<TargetObservation[]> {
    for (const [key, { value }] of this.#manifests) if (value.retry !== null) this.#manifests.delete(key);
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
    if (repository === null) return unobservable(target, 'the node names no repository');
    const { paths, defaultBranch } = this.#clones(repository);
    if (paths.length === 0) {
      return unobservable(target, `no local clone of ${repository} is registered; register_repository names its paths`);
    }
    const branch = (binding.kind === 'commit' ? binding.branch : undefined) ?? defaultBranch ?? undefined;
    const closed: string[] = [];
    for (const path of paths) {
      const why = await this.#access(path, repository);
      if (why !== null) {
        closed.push(why);
        continue;
      }
      const head = await headIn(path, branch);
      if (head)
        return binding.kind === 'commit' ? this.#commitIn(target, path, head) : this.#dependencyIn(target, path, head);
    }
    if (closed.length === paths.length) return unobservable(target, `not read: ${closed.join('; ')}`);
    return unobservable(
      target,
      `no registered clone of ${repository} on this host has ${branch ?? 'a default branch'}`,
    );
  }

  async #commitIn(target: EvidenceTarget, path: string, head: BranchHead): Promise<TargetObservation> {
    const found = await this.#trailersAt(path, head);
    if (found === 'reading') return unobservable(target, `the history of ${head.branch} is long and still being read`);
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

  async #trailersAt(path: string, { branch, sha }: BranchHead): Promise<Trailers | 'reading' | undefined> {
    const key = `${path}\0${branch}`;
    const cached = this.#trailers.get(key);
    if (cached?.sha === sha) return cached.value;
    const reading =
      this.#histories.get(key) ??
      trailersIn(path, sha, cached)
        .then((value) => {
          if (value) this.#trailers.set(key, { sha, value });
          return value;
        })
        .finally(() => this.#histories.delete(key));
    this.#histories.set(key, reading);
    return Promise.race([reading, patience()]);
  }

  async #dependencyIn(target: EvidenceTarget, path: string, head: BranchHead): Promise<TargetObservation> {
    const { binding } = target;
    if (binding.kind !== 'dependency') return unobservable(target, 'the binding names no dependency');
    const found = await this.#manifestsAt(path, head);
    if (!found) return unobservable(target, 'the clone could not be read');
    const { name, version } = binding;
    const asked = requestedVersions(found.files, name);
    const taken = asked.find((requested) => takesVersion(requested, version));
    if (taken !== undefined)
      return { target, observation: { state: 'taken', detail: `${head.branch} uses ${name} ${taken}` } };
    if (found.retry !== null) return unobservable(target, `${found.retry} could not be read in the clone`);
    if (found.tooLarge !== null) return unobservable(target, `${found.tooLarge} is too large to be read`);
    const unresolved = asked.find(isUnresolved);
    if (unresolved !== undefined)
      return unobservable(target, `${head.branch} asks for ${name} as ${unresolved}, which is not resolved here`);
    const detail =
      asked.length > 0
        ? `${head.branch} uses ${name} ${asked[0]}, not ${version}`
        : `${head.branch} does not use ${name} yet`;
    return { target, observation: { state: 'notTaken', detail } };
  }

  async #manifestsAt(path: string, { branch, sha }: BranchHead): Promise<Manifests | undefined> {
    const key = `${path}\0${branch}`;
    const cached = this.#manifests.get(key);
    if (cached?.sha === sha) return cached.value;
    this.#manifests.delete(key);
    const value = await manifestsIn(path, sha);
    if (value === undefined) return undefined;
    this.#manifests.set(key, { sha, value });
    let bytes = [...this.#manifests.values()].reduce((sum, one) => sum + one.value.bytes, 0);
    for (const [oldest, one] of this.#manifests) {
      if (bytes <= cachedBytes) break;
      bytes -= one.value.bytes;
      this.#manifests.delete(oldest);
    }
    return value;
  }
}

const patience = (): Promise<'reading'> =>
  new Promise((resolve) => void setTimeout(resolve, patienceMs, 'reading' as const).unref());

/** Why a registered clone is not read; null if it may be. */
export type CloneAccess = (path: string, repository: string) => Promise<string | null>;

/** Uses only clones in the given folders whose `origin` is the repository itself, so that registering any other path proves nothing. */
export function createCloneAccess(folders: readonly string[]): CloneAccess {
  return async (path, repository) => {
    const real = await realpath(path).catch(() => null);
    if (real === null) return `${path} does not exist`;
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    const isInside = roots.some((root) => root !== null && (real === root || real.startsWith(withSeparator(root))));
    if (!isInside) return `${path} lies outside Service:ClonesPath`;
    const origin = await originOf(real);
    if (origin === null) return `${path} has no origin that names a repository`;
    return origin.toLowerCase() === repository.toLowerCase() ? null : `${path} is a clone of ${origin}`;
  };
}

async function originOf(clone: string): Promise<string | null> {
  const dir = await createSafeGitDir(clone);
  await dir?.remove();
  const urls = parseGitConfig(dir?.config ?? '').filter(
    ({ section, name, key }) => section === 'remote' && name === 'origin' && key === 'url',
  );
  const url = urls.at(-1)?.value;
  return url ? ownerName(url) : null;
}

const withSeparator = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

export type BranchHead = { branch: string; sha: string };

/** The newest commit of a branch, or of the default branch: the local one, or the last fetched one if that is further ahead. */
export async function branchHeadOf(folder: string, branch: string | undefined): Promise<BranchHead | undefined> {
  const names = branch === undefined ? await defaultBranches(folder) : [branch];
  for (const name of names) {
    const local = await commitAt(folder, `refs/heads/${name}`);
    const fetched = await commitAt(folder, `refs/remotes/origin/${name}`);
    const sha = local && fetched && (await isBehind(folder, local, fetched)) ? fetched : (local ?? fetched);
    if (sha) return { branch: name, sha };
  }
  const sha = branch === undefined ? await commitAt(folder, 'HEAD') : undefined;
  return sha === undefined ? undefined : { branch: 'HEAD', sha };
}

async function commitAt(folder: string, name: string): Promise<string | undefined> {
  const sha = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  return sha?.trim() || undefined;
}

const isBehind = async (folder: string, here: string, fetched: string): Promise<boolean> =>
  here !== fetched && (await git(folder, ['merge-base', '--is-ancestor', here, fetched])) !== undefined;

async function defaultBranches(folder: string): Promise<string[]> {
  const remote = (await git(folder, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']))?.trim();
  const named = remote?.replace('refs/remotes/origin/', '');
  return [...(named ? [named] : []), 'main', 'master'];
}
