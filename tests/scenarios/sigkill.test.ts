import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startedProcess } from '../spawn.ts';
import { caller } from '../start.ts';
import { verifies } from '../verifies.ts';

const nodes = Array.from({ length: 12 }, (_, at) => ({ id: `n${at}` }));

verifies(
  ['stop:sigkill-loses-nothing', 'audit:survives-kill', 'ingest:flushed-before-202'],
  'what was answered before a SIGKILL is there after it: plans, claims, events and the audit',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-sigkill-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const answered: { node: string; fence: number }[] = [];
    const uids: string[] = [];
    {
      await using service = await startedProcess({}, [], home);
      const call = caller(service.url);
      expect((await call('POST', '/api/plans', { plan: 'p', nodes })).status).toBe(201);
      const claiming = nodes.map(async ({ id }) => {
        const { body } = await call('POST', `/api/plans/p/nodes/${id}/claim`, { agent: id });
        answered.push({ node: id, fence: body.fence });
      });
      const sending = nodes.map(async ({ id: uid }) => {
        const events = [{ type: 'scenario_finished', runId: 'r', uid, outcome: 'CleanPass', attempts: 1 }];
        const { status } = await caller(service.consoleUrl)('POST', '/api/ingest', { events });
        if (status === 202) uids.push(uid);
      });
      await Promise.all([...claiming, ...sending]);
      service.child.kill('SIGKILL');
      await service.ended;
    }
    await using service = await startedProcess({}, [], home);
    const { body } = await caller(service.url)('GET', '/api/plans/p/status');
    type Held = { id: string; claim: { agent: string; fence: number } };
    expect(body.nodes.map(({ id, claim }: Held) => ({ node: id, fence: claim.fence }))).toEqual(
      nodes.map(({ id }) => answered.find(({ node }) => node === id)),
    );
    const detail = (await caller(service.consoleUrl)('GET', '/api/runs/r')).body;
    expect(detail.scenarios.map(({ uid }: { uid: string }) => uid).sort()).toEqual(uids.sort());
    const audit = readFileSync(join(home, '.signalbox/audit.ndjson'), 'utf8');
    for (const { node } of answered) expect(audit).toContain(`"ref":"p/${node}"`);
  },
);
