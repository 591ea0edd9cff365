import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SessionFacts } from '../../../packages/service/src/coordination/agents/session-state.ts';
import { Outbox } from '../../../packages/service/src/observer/outbox.ts';
import { createPost } from '../../../packages/service/src/observer/post.ts';
import { recordFigure, rounds } from '../../rounds.ts';
import { sessionFactsSample } from '../../samples.ts';
import { signalbox } from '../../spawn.ts';
import { expectWithin } from '../expect-within.ts';

const observers = 200;
const sessionsEach = 5;
const heartbeatMs = 5_000;

const ticksOf = (pid: number | undefined): number =>
  (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [])
    .map(Number)
    .reduce((sum, ticks) => sum + ticks, 0);

const session = (sessionId: string, state: 'running' | 'idle', reason: string): SessionFacts =>
  sessionFactsSample({ sessionId, state, reason, activity: null, lastActivityAt: new Date().toISOString() });

function openBox(number: number, url: string) {
  const line = createPost(url, undefined);
  const outbox = new Outbox({ observer: `box-${number}`, life: randomUUID(), version: '1', enter: undefined });
  const idOf = (at: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const sessions = Array.from({ length: sessionsEach }, (_, at) => session(idOf(at), 'running', 'turn'));
  return {
    async send(isDue: boolean) {
      const next = outbox.next({ sessions, trees: [], changes: [] }, Date.now(), isDue);
      if (!next) return;
      const { observer, ...batch } = next.batch;
      const { status, text } = await line.post(`/api/observers/${observer}`, batch);
      expect(status, text).toBe(200);
      outbox.sent(next.changes, JSON.parse(text).resend);
    },
    change(word: string) {
      sessions[0] = session(idOf(0), word.length % 2 === 0 ? 'idle' : 'running', word);
      return idOf(0);
    },
    close: () => line.close(),
  };
}

test('200 observers with five sessions each take little of the service, and a change is on the board at once', async () => {
  await using service = signalbox(['start'], { PORT: '0,0' });
  const [, url = ''] = await service.says(/(http:\/\/localhost:\d+)\b/);
  const boxes = Array.from({ length: observers }, (_, number) => openBox(number, url));
  await Promise.all(boxes.map((box) => box.send(true)));
  const board = async () => (await (await fetch(`${url}/api/agents`)).json()) as { sessions: SessionFacts[] };
  expect((await board()).sessions).toHaveLength(observers * sessionsEach);

  const seconds = rounds(15, 120);
  const before = ticksOf(service.child.pid);
  const from = performance.now();
  // Each sends a heartbeat every five seconds, and one session of each changes every ten.
  for (let beat = 0; beat < seconds / 5; beat += 1) {
    await Promise.all(
      boxes.map(async (box, number) => {
        await pause((number / observers) * heartbeatMs * 0.9);
        if ((beat + number) % 2 === 0) box.change(`word_${beat}`);
        await box.send(true);
      }),
    );
  }
  const share = ((ticksOf(service.child.pid) - before) * 10) / (performance.now() - from);

  const latencies: number[] = [];
  for (const [number, box] of boxes.entries()) {
    const word = `seen_${number}`;
    const id = box.change(word);
    const sent = performance.now();
    await box.send(false);
    const reason = async () => ((await (await fetch(`${url}/api/agents/${id}`)).json()) as SessionFacts).reason;
    while ((await reason()) !== word) await pause(5);
    latencies.push(performance.now() - sent);
  }
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  for (const box of boxes) box.close();
  recordFigure(
    'observers',
    `200 observers: ${(share * 100).toFixed(1)} % of a core, a change seen after ${p99.toFixed(0)} ms (p99)`,
  );
  expect(share).toBeLessThan(0.1);
  expectWithin(2_000, p99, 'milliseconds until a change was seen (p99)');
});
