import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProjections } from '../../../packages/service/src/app/projections.ts';
import { snapshotsIn } from '../../../packages/service/src/app/snapshot-file.ts';
import { openSqliteLog } from '../../../packages/service/src/store/sqlite/sqlite-log.ts';
import { createSettableClock } from '../../../testing/settable-clock.ts';

// Exit code 1 if a store that was replaced by an empty one starts with the plans of the previous one.
const folder = mkdtempSync(join(tmpdir(), 'signalbox-planted-'));
const path = join(folder, 'signalbox.sqlite');
const snapshots = { ...snapshotsIn(folder), every: { running: 1_000, atEnd: 1 } };
async function plansAfter(slug: string | null): Promise<number> {
  const log = openSqliteLog({ path, clock: createSettableClock(), snapshots });
  const projections = createProjections();
  await log.attach(...Object.values(projections));
  const data = { document: { plan: slug, nodes: [] }, source: 'api' };
  const events = [{ type: 'plan_created', data, by: 'ada' }];
  if (slug) await log.commit(() => ({ append: [{ stream: `plan:${slug}`, events }], answer: () => null }));
  await log.close();
  return projections.workState.plans.size;
}
await plansAfter('before');
for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
const plans = await plansAfter(null);
process.stdout.write(`${plans} plans in an empty store\n`);
process.exitCode = plans === 0 ? 0 : 1;
rmSync(folder, { recursive: true });
