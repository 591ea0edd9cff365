import { expect } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import type { Started } from '../start.ts';

/** The expected results of a simulated day, recorded while it is played. */
export type DayLedger = {
  since: string;
  done: Map<string, string>;
  claims: number;
  submitted: number;
  failed: number;
  givenBack: number;
  expired: string[];
  runs: number;
  runsFailed: number;
  calls: number;
};

type Days = { agents: number; rounds: number; reports?: number };

const people = ['ada', 'bob', 'cyd', 'dan'];
const tools = ['claude', 'codex', 'gemini'];

/** Some agents claim, report on, submit, release and lose nodes of four plans, hour by hour, by the settable clock. */
export async function playDay(service: Started, { agents, rounds, reports = 1 }: Days): Promise<DayLedger> {
  const { call, console: ingest, clock } = service;
  const must = async (method: string, path: string, body?: unknown, expected = 300) => {
    ledger.calls += 1;
    const answer = await call(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(expected);
    return answer.body;
  };
  const ledger: DayLedger = {
    since: new Date(clock.wall()).toISOString(),
    done: new Map(),
    claims: 0,
    submitted: 0,
    failed: 0,
    givenBack: 0,
    expired: [],
    runs: 0,
    runsFailed: 0,
    calls: 0,
  };
  const plans = ['shop', 'sdk', 'web', 'docs'];
  for (const plan of plans) {
    const nodes = Array.from({ length: Math.ceil((agents * (rounds + 1)) / plans.length) }, (_, index) => ({
      id: `n${index}`,
      title: `Step ${index} of ${plan}`,
      binding: { kind: 'signOff' },
    }));
    await must('POST', '/api/plans?by=lena', { plan, title: plan, repository: `acme/${plan}`, nodes });
  }
  for (let round = 0; round < rounds; round += 1) {
    const held: { agent: string; ref: string; path: string }[] = [];
    for (let index = 0; index < agents; index += 1) {
      const agent = `${people[index % people.length]}/${tools[index % tools.length]}-${index}`;
      const place = round * agents + index;
      const plan = plans[place % plans.length];
      const ref = `${plan}/n${Math.floor(place / plans.length)}`;
      const path = `/api/plans/${plan}/nodes/n${Math.floor(place / plans.length)}`;
      await must('POST', `${path}/claim`, { agent, leaseMinutes: 30 });
      ledger.claims += 1;
      held.push({ agent, ref, path });
      clock.advance(20_000);
    }
    for (let report = 0; report < reports; report += 1) {
      clock.advance(Math.floor((12 * 60_000) / reports));
      for (const { agent, path } of held) await must('POST', `${path}/report`, { agent, note: `step ${report}` });
    }
    for (const [index, { agent, ref, path }] of held.entries()) {
      clock.advance(15_000);
      const how = (round + index) % 8;
      if (how === 0) {
        await must('POST', `${path}/release`, { agent, outcome: 'failed', error: 'the tests fail' });
        ledger.failed += 1;
      } else if (how === 1) {
        await must('POST', `${path}/release`, { agent });
        ledger.givenBack += 1;
      } else if (how === 2) ledger.expired.push(ref);
      else {
        await must('POST', `${path}/release`, { agent, outcome: 'submitted' });
        ledger.submitted += 1;
        if (how === 3) continue;
        await must('POST', `${path}/sign-off?by=eve`, { note: 'good' });
        ledger.done.set(ref, agent);
      }
    }
    const isRed = round % 3 === 2;
    const runId = `round-${round}`;
    const outcomes = [isRed ? 'Failed' : 'CleanPass', 'CleanPass'];
    await ingest('POST', '/api/ingest', { events: smallRun(runId, { suite: 'unit', outcomes }) });
    ledger.runs += 1;
    ledger.runsFailed += isRed ? 1 : 0;
    clock.advance(31 * 60_000);
    await clock.tick();
  }
  return ledger;
}
