import type { Evidence } from '../coordination/evidence/evidence.ts';
import { GitHubObserver } from '../coordination/evidence/io/github.ts';
import { CloneObserver } from '../coordination/evidence/io/local-clone.ts';
import { createPackageObserver } from '../coordination/evidence/io/package-feeds.ts';
import type { Target } from '../coordination/evidence/ports.ts';
import { createSuiteObserver } from '../coordination/evidence/suite-observer.ts';
import { createEvidenceWatch, type EvidenceWatch } from '../coordination/evidence/watch.ts';
import { effectiveBinding } from '../coordination/plans/binding.ts';
import type { RepositoryBook } from '../coordination/repositories/memory.ts';
import type { Runs } from '../coordination/runs/ports.ts';
import type { WorkContext } from '../coordination/work/context.ts';
import type { Picture } from '../coordination/work/picture.ts';
import type { Hosts } from './hosts.ts';
import type { Surround } from './port.ts';
import { sharedClones } from './shared-clones.ts';

export type OpenEvidence = EvidenceWatch & { gitHub: GitHubObserver };

/** The observers of this host, looking in the background at whatever the plans are bound to. */
export function openEvidence(
  { config, clock, log: logger }: Surround,
  { picture, log, runs }: WorkContext & { runs: Runs },
  repositories: RepositoryBook,
  hosts: Hosts | null,
): OpenEvidence {
  const gitHub = new GitHubObserver({ url: config.gitHubUrl, token: config.gitHubToken }, clock);
  const clones = new CloneObserver((repository) => {
    const [owner = '', name = ''] = repository.split('/', 2);
    return repositories.find(owner, name) ?? { paths: [], defaultBranch: null };
  });
  const watch = createEvidenceWatch({
    log,
    clock,
    observers: [
      createSuiteObserver(runs, hosts !== null),
      gitHub,
      createPackageObserver(config),
      hosts ? sharedClones(clones, hosts) : clones,
    ],
    targets: () => targetsIn(picture, hosts),
    stands: (ref) => {
      const vertex = picture.find(ref.plan, ref.node);
      const node = vertex === undefined ? undefined : picture.plans.graph.nodes[vertex];
      const known = vertex === undefined ? undefined : picture.evidence.of(picture.keyOf(vertex));
      const bound = node?.binding ? effectiveBinding(node.binding, `${ref.plan}/${ref.node}`) : null;
      const behind = hosts !== null && known?.provenance === 'observed' && isBehind(hosts, known, log.now());
      return { ref, binding: behind ? null : bound, evidence: known };
    },
    looked: ({ plan, node }, at) => picture.evidence.looked(`${plan}/${node}`.toLowerCase(), at),
    everyMs: config.observeSeconds * 1000,
    warn: (details, text) => logger.warn(details, text),
  });
  const stopListening = runs.listen(() => void watch.look(['suite']));
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

/** Another host has just seen a run that is not known here yet: it knows better. */
function isBehind(hosts: Hosts, { runId, observedAt }: Evidence, now: string): boolean {
  if (runId === null || observedAt === null || hosts.knowsRun(runId)) return false;
  return Date.parse(now) - Date.parse(observedAt) < hearsWithinMs;
}

/** What every host could ask the network for is asked by one of them. */
const overTheNetwork: ReadonlySet<string> = new Set(['issue', 'pullRequest', 'package']);

/** What there is to see was not there so far: a 404 says so again. */
const neverSeen: ReadonlySet<string> = new Set(['missing', 'notObserved', 'notPublished']);

/** Every bound node of the active plans; a sign-off is asserted, never observed. */
function* targetsIn(picture: Picture, hosts: Hosts | null): Iterable<Target> {
  for (const plan of picture.plans.all()) {
    if (plan.archivedAt !== null) continue;
    for (const node of plan.nodes.values()) {
      if (node.binding === null || node.binding.kind === 'signOff') continue;
      const ref = { plan: plan.slug, node: node.id };
      if (hosts && overTheNetwork.has(node.binding.kind) && !hosts.onDuty(`${plan.slug}/${node.id}`)) continue;
      const known = picture.evidence.of(`${plan.slug}/${node.id}`.toLowerCase());
      yield {
        ref,
        binding: effectiveBinding(node.binding, `${plan.slug}/${node.id}`),
        repository: node.repository ?? plan.repository,
        seenBefore: known !== undefined && !neverSeen.has(known.state),
        settledBy: known?.settledBy ?? null,
      };
    }
  }
}
