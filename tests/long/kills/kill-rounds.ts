import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { EventLog, RecordedEvent } from '../../../packages/service/src/kernel/event-log.ts';
import { openLog } from '../../store/open-log.ts';

/** Lets writers write for a moment, kills their process, and returns what they had been answered. */
function killedRound(store: string, round: number): Promise<string[]> {
  const script = join(import.meta.dirname, 'append-until-killed.ts');
  const child = spawn(process.execPath, [script, store, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => {
    let answered = '';
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), 20 + Math.random() * 80));
    child.stdout.on('data', (text) => (answered += text));
    child.on('close', () => resolve(answered.split('\n').slice(0, -1)));
  });
}

/** What is wrong after this many rounds of kill -9; it should be nothing. */
export async function killRounds(store: string, rounds: number): Promise<string[]> {
  const answered: string[] = [];
  const wrong: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const lines = await killedRound(store, round);
    if (lines.length === 0) wrong.push(`round ${round} was over before anything was answered`);
    answered.push(...lines);
    const log = await openLog(store);
    const kept: RecordedEvent[] = [];
    await log.attach({ apply: (event) => kept.push(event), reset: () => kept.splice(0) });
    wrong.push(...lostOf(answered, kept), ...brokenOf(kept), ...(await unkeyed(log, kept)));
    await log.close();
  }
  return wrong;
}

export function lostOf(answered: readonly string[], kept: readonly RecordedEvent[]): string[] {
  const found = new Set(kept.map(({ by, stream, version }) => `${by} ${stream} ${version}`));
  return answered.filter((line) => !found.has(line)).map((line) => `answered, but not there: ${line}`);
}

/** Gaps and duplicates, in the whole log and in each stream. */
export function brokenOf(kept: readonly RecordedEvent[]): string[] {
  const versions = new Map<string, number>();
  const seen = new Set<string>();
  return kept.flatMap(({ sequence, stream, version, by }, index) => {
    const whole = sequence === index + 1 && version === (versions.get(stream) ?? 0) + 1 && !seen.has(by);
    versions.set(stream, version);
    seen.add(by);
    return whole ? [] : [`out of order: ${sequence} ${stream} ${version} ${by}`];
  });
}

/** Recent events whose key is not stored. */
async function unkeyed(log: EventLog, kept: readonly RecordedEvent[]): Promise<string[]> {
  const last = kept.slice(-3);
  const keys = await Promise.all(last.map(({ by }) => log.rememberedAnswer(by)));
  return last.filter((_, index) => !keys[index]).map(({ by }) => `written without its key: ${by}`);
}
