import { expect } from 'vitest';
import type { Started } from '../start.ts';

const signOff = { binding: { kind: 'signOff' } };
const markup = '<img src=x onerror="document.title=1"> & \u202ereversed \u0007';

/** Two plans that depend on each other, one node done, some claimed. */
export async function seedPlans({ call }: Started): Promise<void> {
  const must = async (method: string, path: string, body: unknown) => {
    const answer = await call(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  await must('POST', '/api/plans?by=ada', {
    plan: 'checkout',
    title: 'Checkout 2.0',
    repository: 'acme/shop',
    nodes: [
      { id: 'lexer', title: 'Rewrite the lexer', ...signOff },
      { id: 'parser', title: 'Rewrite the price parser', dependsOn: ['lexer'], ...signOff },
      { id: 'rounding', title: 'Round like a bank', dependsOn: ['lexer'], ...signOff },
      { id: 'totals', title: 'Totals', dependsOn: ['parser', 'rounding'], ...signOff },
      { id: 'markup', title: markup },
    ],
  });
  await must('POST', '/api/plans?by=ada', {
    plan: 'platform',
    title: 'Platform',
    nodes: [{ id: 'sdk', title: 'SDK release', dependsOn: ['checkout/totals'] }],
  });
  await must('POST', '/api/plans/checkout/nodes/lexer/sign-off?by=eve', {});
  await must('POST', '/api/plans/checkout/nodes/parser/claim', { agent: 'opus-delta', leaseMinutes: 45 });
}

export const runId = '6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f';

/** A live run of `count` scenarios: one failed, one passed on retry, the rest passed, one still running. */
export function runEvents(count: number, id = runId): object[] {
  const at = (ms: number) => new Date(Date.now() - 60_000 + ms).toISOString();
  const events: object[] = [
    {
      type: 'run_started',
      runId: id,
      suite: 'shop.specs',
      repository: '/code/shop',
      branch: 'main',
      mode: 'in-process',
      startedAt: at(0),
      totalScenarios: count + 1,
      tag: 'checkout/parser',
    },
  ];
  for (let index = 0; index < count; index += 1) {
    const uid = index === 2 ? `Markup/${markup}` : `Prices/price ${index}`;
    const outcome = index === 0 ? 'Failed' : index === 1 ? 'PassOnRetry' : 'CleanPass';
    events.push({ type: 'scenario_started', runId: id, uid, attempt: 1, at: at(index), totalSteps: 1 });
    if (index === 1)
      events.push(
        { type: 'retry_scheduled', runId: id, uid, nextAttempt: 2, disposition: 'RetryInProcess', reason: 'timed out' },
        { type: 'scenario_started', runId: id, uid, attempt: 2, at: at(index), totalSteps: 1 },
      );
    const step = { runId: id, uid, stepId: 's', stepNumber: 1, attempt: index === 1 ? 2 : 1 };
    const errorMessage = index === 0 ? 'Expected 7 but was 19' : null;
    events.push(
      { type: 'step_started', ...step, kind: 'Then', text: 'the price is rounded' },
      { type: 'step_finished', ...step, status: index === 0 ? 'failed' : 'success', durationMs: 12, errorMessage },
      {
        type: 'scenario_finished',
        runId: id,
        uid,
        outcome,
        attempts: 1,
        durationMs: 20 + index,
        errorMessage,
        at: at(index),
      },
    );
  }
  events.push({ type: 'scenario_started', runId: id, uid: 'Prices/still running', attempt: 1, at: at(9) });
  return events;
}

export const finish = (id = runId): object => ({
  type: 'run_finished',
  runId: id,
  exitCode: 1,
  passed: 1,
  failed: 1,
  passedOnRetry: 1,
  indeterminate: 0,
  finishedAt: new Date().toISOString(),
});

export async function ingest(service: Started, events: readonly object[]): Promise<void> {
  const answer = await service.console('POST', '/api/ingest', { events });
  expect(answer.status, answer.text).toBe(202);
}

export async function pushModel(service: Started): Promise<void> {
  const answer = await service.console('PUT', '/api/event-model/specs', {
    name: 'Shop',
    slices: [
      {
        name: 'PlaceOrder',
        chapter: 'Ordering',
        commandType: { name: 'PlaceOrder' },
        emittedEvents: [{ name: 'OrderPlaced' }],
        specifications: [{ identity: 'Prices/price 0' }],
      },
      {
        name: 'ShowOrders',
        chapter: 'Ordering',
        consumedEvents: [{ name: 'OrderPlaced' }],
        readModelTypes: [{ name: 'Orders' }],
      },
    ],
  });
  expect(answer.status, answer.text).toBe(204);
}
