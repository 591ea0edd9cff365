import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { rounds } from '../../rounds.ts';
import { startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import { verifies } from '../../verifies.ts';

const many = rounds(2, 50);
const clients = 16;
const denied = 'list_plans null origin_not_allowed';

verifies(
  ['audit:survives-kill', 'stop:sigkill-loses-nothing'],
  `SIGKILL in the middle of writes and denials, ${many} rounds: each write that was answered is in the audit, and each kind of denial`,
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-kill-audit-'));
    const answered = new Map<string, number>();
    let [answers, wanted] = [0, 0];
    let onEnough: () => void = () => undefined;
    const count = (key: string) => {
      answered.set(key, (answered.get(key) ?? 0) + 1);
      answers += 1;
      if (answers >= wanted) onEnough();
    };
    try {
      for (let round = 0; round < many; round += 1) {
        await using service = await startedProcess({}, [], home);
        const call = caller(service.url);
        const nodes = Array.from({ length: clients }, (_, id) => ({ id: `n${id}` }));
        const plan = `p${round}`;
        expect((await call('POST', '/api/plans', { plan, nodes })).status).toBe(201);
        count(`create_plan ${plan} done`);
        let isOver = false;
        const clientsDone = nodes.map(async ({ id }, client) => {
          while (!isOver) {
            const answer =
              client % 4 === 0
                ? await call('GET', '/api/plans', undefined, { origin: 'http://evil.example' }).catch(() => null)
                : await call('POST', `/api/plans/${plan}/nodes/${id}/claim`, { agent: id }).catch(() => null);
            if (answer === null) return;
            count(client % 4 === 0 ? denied : `claim_node ${plan}/${id} done`);
          }
        });
        // This many calls are answered before the kill, however slow the machine is.
        await new Promise<void>((resolve) => {
          onEnough = resolve;
          wanted = answers + 30 + ((17 * round) % 200);
        });
        service.child.kill('SIGKILL');
        isOver = true;
        await Promise.all(clientsDone);
        await service.ended;
      }
      const written = new Map<string, number>();
      const deniedAt = new Map<string, number>();
      for (const line of readFileSync(join(home, '.signalbox/audit.ndjson'), 'utf8').split('\n').filter(Boolean)) {
        const { at, command, ref, outcome, count: counted = 1 } = JSON.parse(line);
        const key = `${command} ${ref} ${outcome}`;
        written.set(key, (written.get(key) ?? 0) + 1);
        if (key === denied) deniedAt.set(at, Math.max(counted, deniedAt.get(at) ?? 0));
      }
      // Denials of one kind within a minute are counted; after a kill at least half of the count is left.
      written.set(denied, 2 * [...deniedAt.values()].reduce((sum, counted) => sum + counted, 0));
      const lost = [...answered].filter(([key, times]) => (written.get(key) ?? 0) < times);
      expect(lost).toEqual([]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
  rounds(120_000, 1_800_000),
);
