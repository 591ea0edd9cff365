import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { isRefusal, Refusal, refuse } from '../../kernel/outcome.ts';
import { ours } from '../../kernel/schema-marks.ts';
import { streams } from '../../kernel/streams.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import { commitAuthored, type PlansContext } from './context.ts';
import { type ImportReport, importReport, type PlanView, planBrief, planDocument, planView } from './contract.ts';
import { appendsOf, archivePlan, createPlan } from './decide.ts';
import { documentInput, withDocumentRead, withNodesRead } from './document-input.ts';
import { planSentence } from './event-sentences.ts';
import type { PlanEvent } from './events.ts';
import { explainDocument } from './explain-document.ts';
import { documentFromRead } from './from-read.ts';
import { type ImportRequest, importPlan } from './import-plan.ts';
import { actor, by, planSlug } from './names.ts';
import { type NewPlan, normalisePlan } from './normalise.ts';
import { type Plan, planFrom } from './plan.ts';
import { PlanProjection } from './plan-projection.ts';
import { briefPlan, viewPlan } from './plan-view.ts';
import { rescanPlans } from './rescan.ts';
import { given, givenArchived, shop, twoWaiting } from './samples.ts';

const command = commandFor<PlansContext>();

const writtenPlan = ({ plans }: PlansContext, slug: string): Plan => {
  const plan = plans.find(slug);
  if (!plan) throw new Error(`the plan ${slug} was written but cannot be found`);
  return plan;
};

/** The plan as it would be read afterwards. */
function checkedPlan({ log, plans }: PlansContext, document: NewPlan): Promise<PlanView | Refusal> {
  return log.commit((now) => {
    const authored = createPlan(plans, document, 'api');
    if (isRefusal(authored)) return authored;
    const plan = planFrom(normalisePlan(document), document.plan, 'api', { at: now, version: 0, sequence: 0 });
    return { append: [], answer: (): PlanView => ({ ...viewPlan(plan), dryRun: true }) };
  });
}

const create = command({
  name: 'create_plan',
  description: 'Creates a plan from a document of nodes, their dependencies and what proves them done.',
  effect: 'write',
  scope: 'author',
  gate: 'record',
  input: z.strictObject({ document: planDocument, dryRun: z.boolean().optional(), by }),
  fromRead: documentFromRead,
  prepare: withNodesRead,
  explainFaults: explainDocument,
  output: planView,
  brief: { output: planBrief, of: briefPlan },
  rest: {
    method: 'POST',
    path: '/api/plans',
    query: ['by', 'dryRun'],
    body: 'document',
    maxValues: 200_000,
    status: ({ dryRun }) => (dryRun ? 200 : 201),
    statuses: [200, 201],
    headers: { location: ({ slug, dryRun }) => (dryRun ? null : `/api/plans/${slug}`) },
  },
  examples: [
    { title: 'a plan of two nodes', input: { document: shop, by: 'ada' } },
    { title: 'only checked', input: { document: shop, dryRun: true } },
    { title: 'a slug already in use', given, input: { document: { plan: 'Checkout-2' } }, refused: 'plan_exists' },
    {
      title: 'the slug of an archived plan',
      given: givenArchived,
      input: { document: { plan: 'checkout-2' } },
      refused: 'plan_exists',
    },
    { title: 'a reserved word', input: { document: { plan: 'ready' } }, refused: 'invalid_request' },
    {
      title: 'a typo',
      input: { document: { plan: 'a', nodes: [{ id: 'b', dependson: [] }] } },
      refused: 'invalid_request',
    },
    {
      title: 'a reference to an unknown node',
      input: { document: { plan: 'a', nodes: [{ id: 'b', dependsOn: ['c'] }] } },
      refused: 'invalid_request',
    },
    {
      title: 'a node that waits for itself',
      input: { document: { plan: 'a', nodes: [{ id: 'b', dependsOn: ['b'] }] } },
      refused: 'self_dependency',
    },
    {
      title: 'two nodes that wait for each other',
      input: { document: { plan: 'a', nodes: twoWaiting } },
      refused: 'cycle',
    },
  ],
  recall({ plans }, { document, dryRun }) {
    const plan = dryRun ? undefined : plans.find(document.plan);
    return plan && viewPlan(plan);
  },
  run(ctx, input) {
    if (input.dryRun) return checkedPlan(ctx, input.document);
    return commitAuthored(
      ctx,
      input,
      () => createPlan(ctx.plans, input.document, 'api'),
      (slug) => viewPlan(writtenPlan(ctx, slug)),
    );
  },
});

const importCommand = command({
  name: 'import_plan',
  description: 'Replaces a plan by the document (full), or only adds and changes (seed); creates or restores it.',
  effect: 'write',
  scope: 'author',
  repeatable: true,
  destructive: true,
  gate: 'record',
  input: z.strictObject({
    plan: planSlug,
    document: documentInput,
    mode: z.enum(['full', 'seed']).optional(),
    dryRun: z.boolean().optional(),
    force: z.boolean().optional().describe('Also remove claimed nodes'),
    expectedVersion: z.int().min(0).optional().describe('Only if the plan is at this version; 0: only if it is new'),
    by,
  }),
  output: importReport,
  rest: {
    method: 'PUT',
    path: '/api/plans/{plan}',
    query: ['by', 'dryRun', 'mode', 'force', 'expectedVersion'],
    ifMatch: 'expectedVersion',
    body: 'document',
    accepts: ['application/yaml'],
    maxBytes: 8 * 1024 * 1024,
    maxValues: 500_000,
    status: ({ created, dryRun }) => (created && !dryRun ? 201 : 200),
    statuses: [200, 201],
  },
  examples: [
    { title: 'a new plan', input: { plan: 'checkout-2', document: shop } },
    {
      title: 'a dry run shows what would change',
      given,
      input: { plan: 'checkout-2', document: { nodes: [] }, dryRun: true },
    },
    {
      title: 'a seed keeps nodes that it does not list',
      given,
      input: { plan: 'checkout-2', document: {}, mode: 'seed' },
    },
    { title: 'an archived plan comes back', given: givenArchived, input: { plan: 'checkout-2', document: shop } },
    { title: 'YAML text', input: { plan: 'a', document: 'nodes:\n  - id: b\n' } },
    {
      title: 'YAML that does not match the schema',
      input: { plan: 'a', document: 'nodes:\n  - idd: b\n' },
      refused: 'invalid_request',
    },
    {
      title: 'a plan other than the one in the path',
      input: { plan: 'b', document: { plan: 'a' } },
      refused: 'invalid_request',
    },
    { title: 'a cycle', input: { plan: 'a', document: { nodes: twoWaiting } }, refused: 'cycle' },
    {
      title: 'a plan that was changed since it was read',
      given,
      input: { plan: 'checkout-2', document: { nodes: [] }, expectedVersion: 0 },
      refused: 'version_conflict',
    },
    {
      title: 'a removed node that is claimed',
      given: [...given, ['claim_node', { plan: 'checkout-2', node: 'lexer', agent: 'ada' }]],
      input: { plan: 'checkout-2', document: { nodes: [] } },
      refused: 'node_claimed',
    },
  ],
  fromRead: documentFromRead,
  prepare: withDocumentRead,
  explainFaults: explainDocument,
  async recall({ log }, input) {
    const { plan: slug, document, mode = 'full', dryRun = false } = input;
    const history = await log.read(streams.plan(slug));
    return recallImport(history, { slug, document, mode, dryRun, source: 'api', restores: true }, actor(input));
  },
  async run({ log, plans, views }, input) {
    const { plan: slug, document, mode = 'full', dryRun = false, force = false, expectedVersion } = input;
    const written = await log.commit((now) => {
      const version = plans.find(slug)?.version ?? 0;
      if (expectedVersion !== undefined && expectedVersion !== version) return versionConflict(slug, version);
      const claimOn = (node: string) => views.liveClaim(slug, node, now);
      const imported = importPlan(plans, {
        slug,
        document,
        mode,
        dryRun,
        force,
        source: 'api',
        restores: true,
        claimOn,
        claimStream: (node) => views.claimStream(slug, node),
      });
      if (isRefusal(imported)) return imported;
      const { authored, report } = imported;
      return {
        append: dryRun ? [] : appendsOf(authored, actor(input)),
        reads: authored.reads ?? [],
        answer: () => ({ ...report, version: plans.find(slug)?.version ?? 0 }),
      };
    });
    if (!isRefusal(written) || written.code !== 'version_conflict') return written;
    return withChangesSince(written, expectedVersion ?? 0, await log.read(streams.plan(slug)));
  },
});

const archivedAnswer = ({ views }: PlansContext, plan: Plan) => ({
  slug: plan.slug,
  archivedAt: plan.archivedAt ?? '',
  ...views.dependentsAndClaims(plan),
});

const archive = command({
  name: 'archive_plan',
  description: 'Archives a plan: its nodes are no longer offered, its history stays. Lists dependents and claims.',
  effect: 'write',
  scope: 'author',
  destructive: true,
  gate: 'record',
  input: z.strictObject({ plan: z.string(), by }),
  output: z.object({
    slug: ours(z.string()),
    archivedAt: z.string(),
    dependents: z.array(ours(z.string())),
    claims: z.array(ours(z.string())),
  }),
  rest: { method: 'DELETE', path: '/api/plans/{plan}', query: ['by'] },
  examples: [
    { title: 'a plan', given, input: { plan: 'checkout-2', by: 'ada' } },
    { title: 'a plan that is already archived', given: givenArchived, input: { plan: 'checkout-2' } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'plan_not_found' },
  ],
  recall(ctx, input) {
    const plan = ctx.plans.find(input.plan);
    return plan?.archivedAt ? archivedAnswer(ctx, plan) : undefined;
  },
  run(ctx, input) {
    return commitAuthored(
      ctx,
      input,
      () => archivePlan(ctx.plans, input.plan),
      (slug) => archivedAnswer(ctx, writtenPlan(ctx, slug)),
    );
  },
});

const fault = z.object({
  path: z.string(),
  message: z.string(),
  node: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});

const rescan = command({
  name: 'rescan_plans',
  description: 'Imports the files of Service:PlansPath again; adds and changes, never removes.',
  effect: 'write',
  scope: 'author',
  gate: 'record',
  input: z.strictObject({ by }),
  output: z.object({
    path: z.string(),
    imported: z.array(importReport),
    failed: z.array(z.object({ file: z.string(), errors: z.array(fault) })),
  }),
  rest: { method: 'POST', path: '/api/plans/rescan', query: ['by'] },
  commitsRepeatedly: true,
  examples: [{ title: 'no directory is set', input: {}, refused: 'plans_path_not_set' }],
  run(ctx, input) {
    if (ctx.files) return rescanPlans(ctx, ctx.files, actor(input));
    return refuse('plans_path_not_set', 'Set Service:PlansPath to a directory of plan files and restart the service.');
  },
});

export const planAuthoring = [create, importCommand, archive, rescan];

/** How many of the newest changes are listed; the history has them all. */
const maxChanges = 20;

export const versionConflict = (slug: string, version: number): Refusal =>
  refuse(
    'version_conflict',
    version === 0
      ? `Unknown plan ${slug}. Leave out If-Match and expectedVersion to create it.`
      : `The plan ${slug} is at version ${version}. Read it again, merge your change, and send that version.`,
    { version },
  );

/** The same refusal, with what was changed after the version that the caller had read. */
export function withChangesSince(refusal: Refusal, version: number, events: readonly RecordedEvent[]): Refusal {
  const changes = events.flatMap((event) => {
    if (event.version <= version || !isStored(event, 'plan')) return [];
    const { version: changedTo, type, by, at } = event;
    const says = planSentence(event);
    return says === undefined ? [] : [{ version: changedTo, type, by, at, says }];
  });
  return new Refusal(refusal.code, refusal.detail, undefined, {
    ...refusal.extra,
    changes: changes.slice(-maxChanges),
  });
}

/**
 * The report of an import whose answer was lost after it was written. Its events are the newest ones that the same
 * import would write again, based on the plan before them. An import that changed nothing wrote none.
 */
export function recallImport(
  history: readonly RecordedEvent[],
  request: Omit<ImportRequest, 'claimOn' | 'claimStream' | 'force'>,
  by: string,
): ImportReport | undefined {
  const again = { ...request, force: true, claimOn: () => null, claimStream: () => '' };
  const batches = batchesOf(history);
  // Whether the import wrote nothing is checked last, because after any import the same document changes nothing.
  for (const at of [...batches.keys()].reverse().concat(batches.length)) {
    const past = new PlanProjection();
    for (const event of batches.slice(0, at).flat()) past.apply(event);
    const imported = importPlan(past, again);
    if (isRefusal(imported)) continue;
    const { authored, report } = imported;
    const written = at === batches.length ? [] : (batches[at] ?? []);
    const isTheirs = written.every((event) => event.by === by);
    if (isTheirs && textOf(authored.events) === textOf(written))
      return { ...report, version: written.at(-1)?.version ?? past.find(request.slug)?.version ?? 0 };
  }
  return undefined;
}

/** Everything written in one step has one time and one author. */
function batchesOf(history: readonly RecordedEvent[]): StoredEvent<'plan'>[][] {
  const batches: StoredEvent<'plan'>[][] = [];
  for (const event of history) {
    if (!isStored(event, 'plan')) continue;
    const last = batches.at(-1);
    if (last?.[0] && last[0].at === event.at && last[0].by === event.by) last.push(event);
    else batches.push([event]);
  }
  return batches;
}

/** The end of a removed node's claim is not the author's input. */
const textOf = (events: readonly (PlanEvent | StoredEvent<'plan'>)[]): string =>
  JSON.stringify(
    events.map((event) => [event.type, event.type === 'node_removed' ? { id: event.data.id } : event.data]),
  );
