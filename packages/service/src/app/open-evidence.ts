import { createCloneAccess } from '../coordination/evidence/io/clone-access.ts';
import { CloneObserver } from '../coordination/evidence/io/clone-observer.ts';
import { GitHubObserver } from '../coordination/evidence/io/github-observer.ts';
import { createPackageObserver } from '../coordination/evidence/io/package-observer.ts';
import type { Evidence } from '../coordination/evidence/node-evidence.ts';
import type { EvidenceTarget } from '../coordination/evidence/ports.ts';
import { createSuiteObserver } from '../coordination/evidence/suite-observer.ts';
import { createEvidenceWatch, type EvidenceWatch } from '../coordination/evidence/watch.ts';
import { effectiveBinding } from '../coordination/plans/binding.ts';
import type { RepositoryProjection } from '../coordination/repositories/repository-projection.ts';
import type { RunSource } from '../coordination/runs/ports.ts';
import type { WorkContext } from '../coordination/work/work-context.ts';
import type { WorkState } from '../coordination/work/work-state.ts';
import { nodeKey } from '../kernel/streams.ts';
import type { Hosts } from './open-hosts.ts';
import type { ServiceDeps } from './port.ts';
import { sharedClones } from './shared-clones.ts';

export type OpenEvidence = EvidenceWatch & { gitHub: GitHubObserver };

/** The observers of this host, looking in the background at whatever the plans are bound to. */
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
    targets: () => targetsIn(workState, hosts),
    stands: (ref) => {
      const vertex = workState.find(ref.plan, ref.node);
      const node = vertex === undefined ? undefined : workState.plans.graph.nodes[vertex];
      const evidence = vertex === undefined ? undefined : workState.evidence.of(workState.keyOf(vertex));
      const bound = node?.binding ? effectiveBinding(node.binding, `${ref.plan}/${ref.node}`) : null;
      const behind = hosts !== null && evidence?.provenance === 'observed' && isBehind(hosts, evidence, log.now());
      return { ref, binding: behind ? null : bound, evidence };
    },
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

/** How long a host may need to hear of another's run. */
const hearsWithinMs = 10_000;

/** Another host has just observed a run that is not known here yet, so its evidence is newer than ours. */
function isBehind(hosts: Hosts, { runId, observedAt }: Evidence, now: string): boolean {
  if (runId === null || observedAt === null || hosts.knowsRun(runId)) return false;
  return Date.parse(now) - Date.parse(observedAt) < hearsWithinMs;
}

/** Kinds that any host could read over the network; one responsible host reads them. */
const networkKinds: ReadonlySet<string> = new Set(['issue', 'pullRequest', 'package']);

/** States in which the target was never found, so another 404 changes nothing. */
const neverObserved: ReadonlySet<string> = new Set(['missing', 'notObserved', 'notPublished']);

/** Every bound node of the active plans; a sign-off is asserted, never observed. */
function* targetsIn(workState: WorkState, hosts: Hosts | null): Iterable<EvidenceTarget> {
  for (const plan of workState.plans.all()) {
    if (plan.archivedAt !== null) continue;
    for (const node of plan.nodes.values()) {
      if (node.binding === null || node.binding.kind === 'signOff') continue;
      const ref = { plan: plan.slug, node: node.id };
      if (hosts && networkKinds.has(node.binding.kind) && !hosts.isResponsible(`${plan.slug}/${node.id}`)) continue;
      const evidence = workState.evidence.of(nodeKey(plan.slug, node.id));
      yield {
        ref,
        binding: effectiveBinding(node.binding, `${plan.slug}/${node.id}`),
        repository: node.repository ?? plan.repository,
        observedBefore: evidence !== undefined && !neverObserved.has(evidence.state),
        settledBy: evidence?.settledBy ?? null,
      };
    }
  }
}
