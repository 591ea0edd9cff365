import { readArchivedPlan } from '../app/archived-plan.ts';
import { PlanProjection } from '../coordination/plans/plan-projection.ts';
import { describeHistory } from '../coordination/work/history.ts';
import { CallFailed, exitCodes } from './client.ts';
import { localConfig, printOutcome } from './local-command.ts';
import { table, visible } from './table.ts';

/** `signalbox plans show --archived`: a plan from the archive of this machine, or of its database. */
export const printArchivedPlan = (slug: string, { json }: { json?: boolean }): Promise<void> =>
  printOutcome(async () => {
    const events = await readArchivedPlan(localConfig(), slug);
    const plans = new PlanProjection();
    for (const event of events) plans.apply(event);
    const plan = plans.find(slug);
    if (!plan) throw new CallFailed(nothingOf(slug), exitCodes.refused);
    if (json) return `${JSON.stringify(events, null, 2)}\n`;
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
