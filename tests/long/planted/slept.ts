import { start } from '../../start.ts';

// Exit code 1 if a machine that slept for hours answers a claim with an end in the past.
await using service = await start();
await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
service.clock.sleep(8 * 3_600_000);
const { body } = await service.call('POST', '/api/plans/p/nodes/n/claim', { agent: 'ada' });
process.stdout.write(`${body.expiresAt} at ${new Date(service.clock.wall()).toISOString()}\n`);
process.exitCode = Date.parse(body.expiresAt) > service.clock.wall() ? 0 : 1;
