import { isRefusal, type Refusal, refuseShape } from '../../kernel/outcome.ts';
import type { PlanBook } from './book.ts';
import { changesOf, differing, type NodeDiff, unmentioned } from './changes.ts';
import { checkCycles, referenceFaults } from './check.ts';
import type { ImportReport, NodeDocument, PlanDocument, Source } from './contract.ts';
import { type Authored, createPlan, nodeRemoved, refuseClaimed } from './decide.ts';
import type { PlanEvent } from './events.ts';
import { keyOf } from './key.ts';
import { nodeFrom, type Plan, type PlanNode } from './plan.ts';
import type { LiveClaim } from './ports.ts';
import { spellingOf, tidyNode, tidyPlan } from './tidy.ts';

export type ImportMode = 'full' | 'seed';

export type ImportAsk = {
  slug: string;
  document: PlanDocument;
  mode: ImportMode;
  force: boolean;
  dryRun: boolean;
  source: Source;
  /** False for directories: a file never brings back what a person archived. */
  restores: boolean;
  claimOn: (node: string) => LiveClaim | null;
  claimStream: (node: string) => string;
};

export type Imported = { authored: Authored; report: Omit<ImportReport, 'version'> };

const nothing = {
  skipped: null,
  added: [],
  changed: [],
  removed: [],
  kept: [],
  unchanged: [],
  dependenciesAdded: [],
  dependenciesRemoved: [],
};

/** The document against the plan. Full: the plan becomes the document. Seed: the plan takes up what the document says. */
export function importPlan(book: PlanBook, ask: ImportAsk): Imported | Refusal {
  const plan = book.find(ask.slug);
  const { plan: named } = ask.document;
  if (named && keyOf(named) !== keyOf(ask.slug)) {
    return refuseShape([{ path: 'plan', message: `is ${named}, but the path names ${ask.slug}` }]);
  }
  if (!plan) return create(book, ask);
  const told = { slug: plan.slug, created: false, dryRun: ask.dryRun, mode: ask.mode };
  if (plan.archivedAt !== null && !ask.restores) {
    const authored = { slug: plan.slug, events: [], addsEdges: false };
    return { authored, report: { ...told, ...nothing, skipped: 'archived' } };
  }
  return differ(book, plan, ask);
}

function create(book: PlanBook, ask: ImportAsk): Imported | Refusal {
  const document = { ...ask.document, plan: ask.document.plan ?? ask.slug };
  const authored = createPlan(book, document, ask.source);
  if (isRefusal(authored)) return authored;
  const nodes = tidyPlan(document).nodes ?? [];
  const report = {
    ...nothing,
    slug: document.plan,
    created: true,
    dryRun: ask.dryRun,
    mode: ask.mode,
    added: nodes.map((node) => node.id),
    dependenciesAdded: nodes.flatMap((node) => (node.dependsOn ?? []).map((on) => ({ node: node.id, on }))),
  };
  return { authored, report };
}

type Pair = { before: PlanNode; after: PlanNode; diff: NodeDiff };

function differ(book: PlanBook, plan: Plan, ask: ImportAsk): Imported | Refusal {
  const { slug } = plan;
  const asked = (ask.document.nodes ?? []).map((node) => inSpellingOf(plan, node));
  const named = new Set(asked.map((node) => keyOf(node.id)));
  const left = [...plan.nodes.values()].filter((node) => !named.has(keyOf(node.id)));
  const gone = ask.mode === 'full' ? left : [];
  const kept = ask.mode === 'seed' ? left : [];

  const faults = referenceFaults(asked, slug, spellingOf([...asked, ...kept]));
  if (faults.length > 0) return refuseShape(faults);

  const ids = spellingOf([...asked, ...kept]);
  const wanted = asked.map((node) => tidyNode(merged(plan, node, ask.mode), slug, ids));
  const fresh = wanted.filter((node) => !plan.nodes.has(keyOf(node.id)));
  const pairs = wanted.flatMap((node): Pair[] => {
    const before = plan.nodes.get(keyOf(node.id));
    const after = nodeFrom(node);
    return before ? [{ before, after, diff: changesOf(before, after, slug) }] : [];
  });
  const addsEdges = fresh.some((node) => node.dependsOn) || pairs.some(({ diff }) => diff.added.length > 0);
  const refused =
    (addsEdges && checkCycles(book, slug, [...wanted, ...kept.map(asDocument)])) || checkClaims(gone, slug, ask);
  if (refused) return refused;

  const events: PlanEvent[] = [
    ...(plan.archivedAt === null ? [] : [{ type: 'plan_restored' as const, data: {} }]),
    ...planChanges(plan, ask),
    ...pairs.flatMap(({ diff }) => diff.events.filter((event) => event.type === 'dependency_removed')),
    ...gone.map((node) => nodeRemoved(node.id, ask.claimOn(node.id))),
    ...fresh.map((node): PlanEvent => ({ type: 'node_added', data: { node } })),
    ...pairs.flatMap(({ diff }) => diff.events.filter((event) => event.type !== 'dependency_removed')),
  ];
  const reads = ask.force ? [] : gone.map((node) => ask.claimStream(node.id));
  return { authored: { slug, events, addsEdges, reads }, report: reportOf(plan, ask, { pairs, fresh, gone, kept }) };
}

type Parts = { pairs: Pair[]; fresh: NodeDocument[]; gone: PlanNode[]; kept: PlanNode[] };

function reportOf(
  { slug }: Plan,
  { dryRun, mode }: ImportAsk,
  { pairs, fresh, gone, kept }: Parts,
): Imported['report'] {
  const edges = (node: { id: string; dependsOn?: readonly string[] | null | undefined }) =>
    (node.dependsOn ?? []).map((on) => ({ node: node.id, on }));
  const isChanged = ({ diff }: Pair) => diff.fields.length > 0;
  return {
    ...nothing,
    slug,
    created: false,
    dryRun,
    mode,
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

/** A node keeps the spelling of its id, whoever writes it how. */
const inSpellingOf = (plan: Plan, node: NodeDocument): NodeDocument => ({
  ...node,
  id: plan.nodes.get(keyOf(node.id))?.id ?? node.id,
});

function merged(plan: Plan, node: NodeDocument, mode: ImportMode): NodeDocument {
  const known = plan.nodes.get(keyOf(node.id));
  if (!known || mode === 'full') return node;
  return { ...unmentioned(known, node), dependsOn: [...known.dependsOn, ...(node.dependsOn ?? [])] };
}

const asDocument = (node: PlanNode): NodeDocument => unmentioned(node, {});

function checkClaims(gone: readonly PlanNode[], slug: string, { force, claimOn }: ImportAsk): Refusal | undefined {
  if (force) return undefined;
  for (const node of gone) {
    const claim = claimOn(node.id);
    if (claim) return refuseClaimed(`${slug}/${node.id}`, claim);
  }
  return undefined;
}

function planChanges(plan: Plan, { document, mode }: ImportAsk): PlanEvent[] {
  const { title, description, repository } = document;
  const isLeft = (member: unknown) => mode === 'seed' && member === undefined;
  const wanted = {
    title: isLeft(title) ? plan.title : (title ?? plan.slug),
    description: isLeft(description) ? plan.description : (description ?? null),
    repository: isLeft(repository) ? plan.repository : (repository ?? null),
  };
  const fields = differing<typeof wanted>(plan, wanted, ['title', 'description', 'repository']);
  return Object.keys(fields).length > 0 ? [{ type: 'plan_changed', data: { fields } }] : [];
}
