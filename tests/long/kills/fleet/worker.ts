import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../../../packages/service/src/client/index.ts';
import { type Entry, note } from './ledger.ts';
import { proveBySuite } from './prove.ts';

// One of several worker processes with the same name. Run as: node worker.ts <service> <console> <ledger>
const [url = '', consoleUrl = '', ledger = ''] = process.argv.slice(2);
const box = connect({ url, retryMs: 600_000 });
const write = (what: Entry['what'], ref: string, fence: number) => note(ledger, { what, ref, fence, pid: process.pid });

box.work({ agent: 'fleet', concurrency: 2, leaseMinutes: 1, unbound: true }, async ({ node, fence }) => {
  write('begun', node.ref, fence);
  await pause(20 + (fence % 180));
  const isPoison = node.labels?.includes('poison');
  if (node.binding?.kind === 'suite' && !isPoison) await proveBySuite(consoleUrl, node.ref);
  write('ended', node.ref, fence);
  if (isPoison) throw new Error('it never works');
  return { by: process.pid };
});
