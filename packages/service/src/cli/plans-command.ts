import type { Command } from 'commander';
import { readArchivedPlan } from '../app/archive-files.ts';
import { PlanProjection } from '../coordination/plans/plan-projection.ts';
import { describeHistory } from '../coordination/work/history.ts';
import { CallFailed, createClient, exitCodes, type RestClient, urlOption } from './client.ts';
import { amountOf } from './figures.ts';
import { addFromGitHub } from './from-github-command.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { addPlanFiles, readNamedPlan } from './plan-file-commands.ts';
import { jsonText, table, visible } from './table.ts';

type Options = { url?: string; json?: boolean; by?: string; archived?: boolean };

/** `signalbox plans list | show | create` over REST to a running service. */
export function addPlans(program: Command): void {
  const plans = program.command('plans').description('list, show, create, check and import plans');
  addPlanFiles(plans);
  const word = (syntax: string, description: string) =>
    plans
      .command(syntax)
      .description(description)
      .option('--json', 'print JSON')
      .option(...urlOption);

  addFromGitHub(plans);
  plans
    .command('list', { isDefault: true })
    .description('list active plans, most recently changed first (same as "plans" without a subcommand)')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action((options: Options) => list(createClient(options.url), options));
  word('show <slug>', 'one plan with its nodes and their states')
    .option(
      '--archived',
      'read the plan from the archive of this machine, where Service:ArchiveDays moves old archived plans; also shows its history',
    )
    .action((slug: string, options: Options) =>
      options.archived ? printArchivedPlan(slug, options) : show(createClient(options.url), slug, options),
    );
  word('create <file>', 'create a plan from a document in YAML or JSON')
    .option('--by <label>', 'name of the person or agent who acts')
    .action((file: string, options: Options) => create(createClient(options.url), file, options));
}

const print = (value: unknown) => process.stdout.write(jsonText(value));

async function list(client: RestClient, { json }: Options): Promise<void> {
  const plans = await client.call('list_plans', {});
  if (json) return void print(plans);
  if (plans.length === 0)
    return void process.stdout.write('No plans yet. Create one with "signalbox plans create FILE".\n');
  const rows = plans.map(({ slug, title, nodes, counts, claims }) => [
    slug,
    `${counts.done}/${nodes}`,
    counts.ready,
    claims,
    counts.failed,
    title,
  ]);
  process.stdout.write(table(['PLAN', 'DONE', 'READY', 'CLAIMED', 'FAILED', 'TITLE'], rows));
  process.stdout.write(
    `\nNext: "signalbox plans show ${plans[0]?.slug}" lists its nodes, "signalbox ready" what can be claimed.\n`,
  );
}

async function show(client: RestClient, slug: string, { json }: Options): Promise<void> {
  const plan = await client.call('get_plan', { plan: slug });
  if (json) return void print(plan);
  const { nodes } = await client.call('plan_status', { plan: slug });
  const statusById = new Map(
    nodes.map(({ id, status, claimedBy }) => [id, claimedBy ? `${status} by ${claimedBy}` : status]),
  );
  process.stdout.write(`${visible(`${plan.slug}  ${plan.title ?? ''}`)}\n\n`);
  const rows = plan.nodes.map(({ id, title, dependsOn, binding }) => [
    id,
    statusById.get(id),
    title,
    dependsOn.join(', '),
    binding?.kind ?? 'unbound',
  ]);
  process.stdout.write(table(['NODE', 'STATUS', 'TITLE', 'NEEDS', 'PROOF'], rows));
}

async function create(client: RestClient, file: string, { json, by }: Options): Promise<void> {
  const plan = await client.call('create_plan', { document: readNamedPlan(file), by });
  if (json) return void print(plan);
  process.stdout.write(`Created ${plan.slug} with ${amountOf(plan.nodes.length, 'node')}.\n`);
}

/** `signalbox plans show --archived`: a plan from the archive of this machine, or of its database. */
const printArchivedPlan = (slug: string, { json }: { json?: boolean }): Promise<void> =>
  printOutcome(async () => {
    const events = await readArchivedPlan(localConfig(), slug);
    const plans = new PlanProjection();
    for (const event of events) plans.apply(event);
    const plan = plans.find(slug);
    if (!plan) throw new CallFailed(nothingOf(slug), exitCodes.refused);
    if (json) return jsonText(events);
    const rows = [...plan.nodes.values()].map(({ id, title, dependsOn, binding }) => [
      id,
      title,
      dependsOn.join(', '),
      binding?.kind ?? 'unbound',
    ]);
    const history = describeHistory(events).map(({ entry: { at, says } }) => `${at}  ${visible(says)}\n`);
    return `${visible(`${plan.slug}  ${plan.title}`)}\n\n${table(['NODE', 'TITLE', 'NEEDS', 'PROOF'], rows)}\n${history.join('')}`;
  });

const nothingOf = (slug: string): string =>
  `The archive here has no plan ${slug}. To show a plan that is still in the log, omit --archived. To read another archive, set Service__DataPath or Service__Store.`;
