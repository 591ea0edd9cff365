import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../../packages/service/src/store/sqlite/sqlite-log.ts';
import { createSettableClock } from '../../../testing/settable-clock.ts';
import { openInMemoryWork } from '../../coordination/in-memory-work.ts';
import { recordFigure, rounds } from '../../rounds.ts';

const events = rounds(3_000, 100_000);

test(`a log of ${events} events is whole again after it is opened anew`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-recovery-'));
  try {
    const path = join(folder, 'events.sqlite');
    const clock = createSettableClock();
    const log = openSqliteLog({ path, clock });
    const { call } = await openInMemoryWork({ clock, log });
    const nodes = Array.from({ length: 500 }, (_, n) => ({ id: `n${n}` }));
    await call('create_plan', { document: { plan: 'p', nodes } });
    for (let done = 0; done < events; done += 500) {
      const act = done === 0 ? 'claim_node' : 'report_node';
      const all = nodes.map(({ id }) =>
        call(act, { plan: 'p', node: id, agent: 'ada', ...(done > 0 && { note: `${done}` }) }),
      );
      const told = await Promise.all(all);
      expect(told.every((answer) => answer.claimed || answer.reported)).toBe(true);
    }
    const before = await call('plan_status', { plan: 'p' });
    await log.close();
    const began = performance.now();
    const again = openSqliteLog({ path, clock });
    const opened = await openInMemoryWork({ clock, log: again });
    const ms = performance.now() - began;
    expect(await opened.call('plan_status', { plan: 'p' })).toEqual(before);
    recordFigure('R1', `${events} events are opened and folded in ${ms.toFixed(0)} ms`);
    await again.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 1_200_000);
