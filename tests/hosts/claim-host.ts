import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import type { CoordinationContext } from '../../packages/service/src/coordination/coordination-context.ts';
import { coordinationTable } from '../../packages/service/src/coordination/registry.ts';
import { openWork } from '../../packages/service/src/coordination/work/open-work.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { callInProcess } from '../../testing/in-process-call.ts';

// Run as: node claim-host.ts <postgres address> <host> <clients> <nodes>. One host of several: its clients claim every
// node of the plan `race`, and each answer is printed.
const [url = '', host = '', clients = '0', nodes = '0'] = process.argv.slice(2);
const log = await openPostgresLog({ url, clock: systemClock });
const ctx = await openWork({ log, clock: systemClock });
const call = callInProcess(coordinationTable, ctx as CoordinationContext);

type ClaimAnswer = { node: number; agent: string; claimed: boolean; heldBy?: string };
const answers: ClaimAnswer[] = [];
for (let node = 0; node < Number(nodes); node += 1) {
  const race = Array.from({ length: Number(clients) }, async (_, number) => {
    const agent = `${host}-${number}`;
    const input = { plan: 'race', node: `n${node}`, agent };
    const answer = await call('claim_node', input);
    if (isRefusal(answer)) throw new Error(answer.detail);
    answers.push({ node, agent, claimed: answer.claimed, ...(answer.claimed ? {} : { heldBy: answer.heldBy }) });
  });
  await Promise.all(race);
}
await log.close();
process.stdout.write(JSON.stringify(answers));
