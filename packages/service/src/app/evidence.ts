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
import type { Surround } from './port.ts';

export type OpenEvidence = EvidenceWatch & { gitHub: GitHubObserver };

/** The observers of this host, looking in the background at whatever the plans are bound to. */
export function openEvidence(
  { config, clock, log: logger }: Surround,
  { picture, log }: WorkContext,
  runs: Runs,
  repositories: RepositoryBook,
): OpenEvidence {
  const gitHub = new GitHubObserver({ url: config.gitHubUrl, token: config.gitHubToken }, clock);
  const clones = new CloneObserver((repository) => {
    const [owner = '', name = ''] = repository.split('/', 2);
    return repositories.find(owner, name) ?? { paths: [], defaultBranch: null };
  });
  const watch = createEvidenceWatch({
    log,
    clock,
    observers: [createSuiteObserver(runs), gitHub, createPackageObserver(config), clones],
    targets: () => targetsIn(picture),
    stands: (ref) => {
      const vertex = picture.find(ref.plan, ref.node);
      const node = vertex === undefined ? undefined : picture.plans.graph.nodes[vertex];
      const known = vertex === undefined ? undefined : picture.evidence.of(picture.keyOf(vertex));
      const bound = node?.binding ? effectiveBinding(node.binding, `${ref.plan}/${ref.node}`) : null;
      return { ref, binding: bound, evidence: known };
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

/** Every bound node of the active plans; a sign-off is asserted, never observed. */
function* targetsIn(picture: Picture): Iterable<Target> {
  for (const plan of picture.plans.all()) {
    if (plan.archivedAt !== null) continue;
    for (const node of plan.nodes.values()) {
      if (node.binding === null || node.binding.kind === 'signOff') continue;
      const ref = { plan: plan.slug, node: node.id };
      const known = picture.evidence.of(`${plan.slug}/${node.id}`.toLowerCase());
      yield {
        ref,
        binding: effectiveBinding(node.binding, `${plan.slug}/${node.id}`),
        repository: node.repository ?? plan.repository,
        seenBefore: known !== undefined && known.state !== 'missing' && known.state !== 'notObserved',
      };
    }
  }
}
