import { CloneObserver, createCloneAccess } from '../coordination/evidence/io/clone-observer.ts';
import { GitHubObserver } from '../coordination/evidence/io/github-observer.ts';
import { createPackageObserver } from '../coordination/evidence/io/package-observer.ts';
import { sharedClones } from '../coordination/evidence/shared-clones.ts';
import { createSuiteObserver } from '../coordination/evidence/suite-observer.ts';
import { createEvidenceWatch, type EvidenceWatch } from '../coordination/evidence/watch.ts';
import type { RepositoryProjection } from '../coordination/repositories/repository-projection.ts';
import type { RunSource } from '../coordination/runs/ports.ts';
import { evidenceTargets, observedNode } from '../coordination/work/evidence-targets.ts';
import type { WorkContext } from '../coordination/work/work-context.ts';
import { nodeKey } from '../kernel/streams.ts';
import type { Hosts } from './open-hosts.ts';
import type { ServiceDeps } from './port.ts';

export type OpenEvidence = EvidenceWatch & { gitHub: GitHubObserver };

/** The observers of this host, which check the bindings of plans in the background. */
export function openEvidence(
  { config, clock, log: logger }: ServiceDeps,
  { workState, log, runs }: WorkContext & { runs: RunSource },
  repositories: RepositoryProjection,
  hosts: Hosts | null,
): OpenEvidence {
  const gitHub = new GitHubObserver({ url: config.gitHubUrl, token: config.gitHubToken }, clock);
  const clones = new CloneObserver((repository) => {
    const [owner = '', name = ''] = repository.split('/', 2);
    return repositories.find(owner, name) ?? { paths: [], defaultBranch: null };
  }, createCloneAccess(config.clonesPaths));
  const watch = createEvidenceWatch({
    log,
    clock,
    observers: [
      createSuiteObserver(runs, hosts !== null, config.suiteProof),
      gitHub,
      createPackageObserver(config),
      hosts ? sharedClones(clones, hosts) : clones,
    ],
    targets: () => evidenceTargets(workState, hosts),
    currentNode: (ref) => observedNode(workState, ref, hosts, log.now()),
    markChecked: ({ plan, node }, at) => workState.evidence.markChecked(nodeKey(plan, node), at),
    everyMs: config.observeSeconds * 1000,
    warn: (details, text) => logger.warn(details, text),
  });
  const stopListening = runs.listen(() => void watch.poll(['suite']));
  return {
    ...watch,
    gitHub,
    stop() {
      stopListening();
      watch.stop();
    },
  };
}
