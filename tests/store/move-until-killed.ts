import { join } from 'node:path';
import { archiveFilesIn } from '../../packages/service/src/app/archive-files.ts';
import { moveArchivedPlans } from '../../packages/service/src/app/move-archived-plans.ts';
import { createProjections } from '../../packages/service/src/app/projections.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/sqlite-log.ts';

// Run as: node move-until-killed.ts <data path>. Moves every archived plan; prints when it begins and ends.
const [folder = ''] = process.argv.slice(2);
const log = openSqliteLog({
  path: join(folder, 'signalbox.sqlite'),
  clock: systemClock,
  archive: archiveFilesIn(folder),
});
const { workState } = createProjections();
await log.attach(workState);
process.stdout.write('begun\n');
const tell = (details: object, text: string) => process.stdout.write(`${text} ${JSON.stringify(details)}\n`);
// A plan of the past has been archived for longer than any tiny number of days.
await moveArchivedPlans(log, workState.plans, 1e-9, { info: tell, warn: tell } as never);
await log.close();
process.stdout.write('ended\n');
