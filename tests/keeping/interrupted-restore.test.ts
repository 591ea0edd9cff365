import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wholeRun } from '../hosts/whole-run.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-interrupted-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Kills its process with SIGKILL instead of the move with the number KILLED_AT. */
const killedAtMove = `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { rename } = fs;
  let moves = 0;
  fs.rename = (...paths) => {
    moves += 1;
    if (moves === Number(process.env.KILLED_AT)) process.kill(process.pid, 'SIGKILL');
    return rename(...paths);
  };
  syncBuiltinESMExports();`;

async function filled(home: string, name: string): Promise<void> {
  await using service = await start({ home });
  await service.call('POST', '/api/plans', { plan: name, nodes: [{ id: 'n' }] });
  await service.console('POST', '/api/ingest', { events: wholeRun(name, 'Cart/total', 'CleanPass') });
}

async function held(home: string) {
  await using service = await start({ home });
  const plans = (await service.call('GET', '/api/plans')).body;
  const runs = (await service.console('GET', '/api/runs')).body;
  return {
    plans: plans.map(({ slug }: { slug: string }) => slug),
    runs: runs.map(({ runId }: { runId: string }) => runId),
  };
}

async function type(home: string, env: Record<string, string>, ...words: string[]): Promise<number | null> {
  await using command = signalbox(words, env, home);
  return await command.ended;
}

test.each(['restore', 'recover'])(
  'a %s that is killed before any of its moves is completed by the next start, or never began',
  async (command) => {
    const [older, home, backup] = [join(folder, 'older'), join(folder, 'home'), join(folder, 'backup.tar.gz')];
    await filled(older, 'older');
    await filled(home, 'newer');
    expect(await type(older, {}, 'backup', backup)).toBe(0);
    const preload = join(folder, 'killed-at-move.mjs');
    writeFileSync(preload, killedAtMove);

    let [never, completed] = [0, 0];
    for (let at = 1; ; at += 1) {
      const copy = join(folder, `${command}-${at}`);
      cpSync(home, copy, { recursive: true });
      const env = { NODE_OPTIONS: `--import ${preload}`, KILLED_AT: String(at) };
      const code = await type(copy, env, command, backup, '--replace');
      const { plans, runs } = await held(copy);
      expect(runs, `killed at move ${at}`).toEqual(plans);
      expect([['newer'], ['older']], `killed at move ${at}`).toContainEqual(plans);
      if (code === 0) break;
      if (plans[0] === 'older') completed += 1;
      else never += 1;
    }
    expect([never, completed]).toEqual([1, expect.any(Number)]);
    expect(completed).toBeGreaterThan(3);
  },
);
