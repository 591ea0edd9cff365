import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { wholeRun } from './whole-run.ts';

verifies(
  'hosts:one-machine-needs-nothing',
  'on one machine plans, claims, runs and the board work with nothing but a folder',
  async () => {
    await using service = await start();
    expect(service.running.config.store).toBe('sqlite');
    await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
    expect((await service.call('POST', '/api/plans/p/nodes/n/claim', { agent: 'eve' })).status).toBe(200);
    await service.console('POST', '/api/ingest', { events: wholeRun('r', 'Cart/total', 'CleanPass') });
    expect((await service.call('GET', '/api/runs')).body).toMatchObject([{ runId: 'r' }]);
    expect((await service.call('GET', '/api/agents')).body.unlinkedClaims).toHaveLength(1);
    expect((await service.call('GET', '/metrics')).text).not.toContain('signalbox_hosts');
    expect(readdirSync(service.dataPath)).not.toContain('host.json');
  },
);
