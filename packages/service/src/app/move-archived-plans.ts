import type { Plan } from '../coordination/plans/plan.ts';
import { plansToMove } from '../coordination/plans/plans-to-move.ts';
import { dayMs, iso } from '../kernel/clock.ts';
import { streams } from '../kernel/streams.ts';
import type { CountedLog } from '../store/group-commit.ts';
import type { Logger } from './log.ts';

/**
 * Called at start: moves plans archived more than `days` ago out of the log. If that fails, every plan stays in the log
 * and is served.
 */
export async function moveArchivedPlans(
  log: CountedLog,
  plans: { all(): Iterable<Plan> },
  days: number,
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  if (days === 0) return;
  const old = plansToMove(plans.all(), iso(Date.parse(log.now()) - days * dayMs)).map(({ slug }) => slug);
  if (old.length === 0) return;
  try {
    const events = await log.moveOut(old.map(streams.plan));
    logger.info({ plans: old, events }, 'plans older than Service:ArchiveDays were moved out of the log');
  } catch (err) {
    logger.warn({ err }, 'cannot move old archived plans out of the log; they stay there until the next start');
  }
}
