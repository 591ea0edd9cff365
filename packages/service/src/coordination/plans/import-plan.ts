import { isRefusal, type Refusal, refuseShape } from '../../kernel/outcome.ts';
import { isBySuiteAlone } from './binding.ts';
import { checkReferences } from './check-references.ts';
import type { ImportReport, NodeDocument, PlanDocument, PlanSource } from './contract.ts';
import { type AuthoredChange, createPlan, nodeRemoved, refuseClaimed } from './decide.ts';
import type { PlanEvent } from './events.ts';
import { keyOf } from './key.ts';
import { changedFields, diffNodes, mergeChanges, type NodeDiff } from './node-diff.ts';
import { normaliseNode, normalisePlan, spellingOf } from './normalise.ts';
import { nodeFrom, type Plan, type PlanNode } from './plan.ts';
import type { PlanProjection } from './plan-projection.ts';
import type { LiveClaim } from './ports.ts';

export type ImportMode = 'full' | 'seed';

export type ImportRequest = {
  slug: string;
  document: PlanDocument;
  mode: ImportMode;
  force: boolean;
  dryRun: boolean;
  source: PlanSource;
  /** False for directories: a file never restores a plan that a person archived. */
  restores: boolean;
  claimOn: (node: string) => LiveClaim | null;
  claimStream: (node: string) => string;
};

export type ImportOutcome = { authored: AuthoredChange; report: Omit<ImportReport, 'version'> };

const emptyReport = {
  skipped: null,
  added: [],
  changed: [],
  removed: [],
  kept: [],
  unchanged: [],
  dependenciesAdded: [],
  dependenciesRemoved: [],
};

/** Applies a document to a plan. Full: the plan becomes equal to the document. Seed: the plan gains what the document has. */
export function importPlan(plans: PlanProjection, request: ImportRequest): ImportOutcome | Refusal {
  const plan = plans.find(request.slug);
  const { plan: named } = request.document;
  if (named && keyOf(named) !== keyOf(request.slug)) {
    return refuseShape([{ path: 'plan', message: `is ${named}, but the path names ${request.slug}` }]);
  }
  if (!plan) return create(plans, request);
  const reportBase = { slug: plan.slug, created: false, dryRun: request.dryRun, mode: request.mode };
  if (plan.archivedAt !== null && !request.restores) {
    const authored = { slug: plan.slug, events: [], addsEdges: false };
    return { authored, report: { ...reportBase, ...emptyReport, skipped: 'archived' } };
  }
  return updatePlan(plans, plan, request);
}

function create(plans: PlanProjection, request: ImportRequest): ImportOutcome | Refusal {
  const document = { ...request.document, plan: request.document.plan ?? request.slug };
  const authored = createPlan(plans, document, request.source);
  if (isRefusal(authored)) return authored;
  const nodes = normalisePlan(document).nodes ?? [];
  const report = {
    ...emptyReport,
    slug: document.plan,
    created: true,
    dryRun: request.dryRun,
    mode: request.mode,
    added: nodes.map((node) => node.id),
    dependenciesAdded: nodes.flatMap((node) => (node.dependsOn ?? []).map((on) => ({ node: node.id, on }))),
  };
  return { authored, report };
}

type Pair = { before: PlanNode; after: PlanNode; diff: NodeDiff };

function updatePlan(plans: PlanProjection, plan: Plan, request: ImportRequest): ImportOutcome | Refusal {
  const { slug } = plan;
  const asked = (request.document.nodes ?? []).map((node) => inSpellingOf(plan, node));
  const named = new Set(asked.map((node) => keyOf(node.id)));
  const notInDocument = [...plan.nodes.values()].filter((node) => !named.has(keyOf(node.id)));
  const gone = request.mode === 'full' ? notInDocument : [];
  const kept = request.mode === 'seed' ? notInDocument : [];

  const ids = spellingOf([...asked, ...kept]);
  const wanted = asked.map((node) => normaliseNode(merged(plan, node, request.mode), slug, ids));
  const fresh = wanted.filter((node) => !plan.nodes.has(keyOf(node.id)));
  const pairs = wanted.flatMap((node): Pair[] => {
    const before = plan.nodes.get(keyOf(node.id));
    const after = nodeFrom(node);
    return before ? [{ before, after, diff: diffNodes(before, after, slug) }] : [];
  });
  const addsEdges = fresh.some((node) => node.dependsOn) || pairs.some(({ diff }) => diff.added.length > 0);
  const refused =
    checkReferences(plans, slug, asked, { nodes: addsEdges ? [...wanted, ...kept.map(asDocument)] : [], ids }) ??
    checkClaims(gone, slug, request);
  if (refused) return refused;

  const events: PlanEvent[] = [
    ...(plan.archivedAt === null ? [] : [{ type: 'plan_restored' as const, data: {} }]),
    ...planChanges(plan, request),
    ...pairs.flatMap(({ diff }) => diff.events.filter((event) => event.type === 'dependency_removed')),
    ...gone.map((node) => nodeRemoved(node.id, request.claimOn(node.id))),
    ...fresh.map((node): PlanEvent => ({ type: 'node_added', data: { node } })),
    ...pairs.flatMap(({ diff }) => diff.events.filter((event) => event.type !== 'dependency_removed')),
    ...judgedAnew(plan, request, [...pairs.map(({ after }) => after), ...kept]),
  ];
  const reads = request.force ? [] : gone.map((node) => request.claimStream(node.id));
  return {
    authored: { slug, events, addsEdges, reads },
    report: reportOf(plan, request, { pairs, fresh, gone, kept }),
  };
}

type ImportParts = { pairs: Pair[]; fresh: NodeDocument[]; gone: PlanNode[]; kept: PlanNode[] };

function reportOf(
  { slug, archivedAt }: Plan,
  { dryRun, mode }: ImportRequest,
  { pairs, fresh, gone, kept }: ImportParts,
): ImportOutcome['report'] {
  const edges = (node: { id: string; dependsOn?: readonly string[] | null | undefined }) =>
    (node.dependsOn ?? []).map((on) => ({ node: node.id, on }));
  const isChanged = ({ diff }: Pair) => diff.fields.length > 0;
  return {
    ...emptyReport,
    slug,
    created: false,
    dryRun,
    mode,
    ...(archivedAt !== null && { restored: true as const }),
    added: fresh.map((node) => node.id),
    changed: pairs.filter(isChanged).map(({ before, diff }) => ({ id: before.id, fields: diff.fields })),
    removed: gone.map((node) => node.id),
    kept: kept.map((node) => node.id),
    unchanged: pairs.filter((pair) => !isChanged(pair)).map(({ before }) => before.id),
    dependenciesAdded: [
      ...fresh.flatMap(edges),
      ...pairs.flatMap(({ before, diff }) => diff.added.map((on) => ({ node: before.id, on }))),
    ],
    dependenciesRemoved: [
      ...gone.flatMap(edges),
      ...pairs.flatMap(({ before, diff }) => diff.removed.map((on) => ({ node: before.id, on }))),
    ],
  };
}

/** A node keeps the spelling of its id, even if the document spells it differently. */
const inSpellingOf = (plan: Plan, node: NodeDocument): NodeDocument => ({
  ...node,
  id: plan.nodes.get(keyOf(node.id))?.id ?? node.id,
});

function merged(plan: Plan, node: NodeDocument, mode: ImportMode): NodeDocument {
  const known = plan.nodes.get(keyOf(node.id));
  if (!known || mode === 'full') return node;
  return { ...mergeChanges(known, node), dependsOn: [...known.dependsOn, ...(node.dependsOn ?? [])] };
}

const asDocument = (node: PlanNode): NodeDocument => mergeChanges(node, {});

function checkClaims(gone: readonly PlanNode[], slug: string, { force, claimOn }: ImportRequest): Refusal | undefined {
  if (force) return undefined;
  for (const node of gone) {
    const claim = claimOn(node.id);
    if (claim) return refuseClaimed(`${slug}/${node.id}`, claim);
  }
  return undefined;
}

/** Nodes that inherit their plan's repository and are proven only by that repository's runs, if the repository changes. */
function judgedAnew(plan: Plan, request: ImportRequest, nodes: readonly PlanNode[]): PlanEvent[] {
  const isMoved = planChanges(plan, request).some(
    (event) => event.type === 'plan_changed' && 'repository' in event.data.fields,
  );
  if (!isMoved) return [];
  return nodes
    .filter(({ repository, binding }) => repository === null && isBySuiteAlone(binding))
    .map(({ id, binding }) => ({ type: 'node_bound', data: { id, binding } }));
}

const planMembers = ['description', 'repository', 'maxAttempts', 'priority', 'maxClaims', 'budget'] as const;

function planChanges(plan: Plan, { document, mode }: ImportRequest): PlanEvent[] {
  const isKept = (member: unknown) => mode === 'seed' && member === undefined;
  const member = (name: (typeof planMembers)[number]) =>
    isKept(document[name]) ? plan[name] : (document[name] ?? null);
  const wanted = {
    title: isKept(document.title) ? plan.title : (document.title ?? plan.slug),
    description: member('description'),
    repository: member('repository'),
    maxAttempts: member('maxAttempts'),
    priority: member('priority'),
    maxClaims: member('maxClaims'),
    budget: member('budget'),
  };
  const fields = changedFields(plan, wanted, ['title', ...planMembers]);
  return Object.keys(fields).length > 0 ? [{ type: 'plan_changed', data: { fields } }] : [];
}
