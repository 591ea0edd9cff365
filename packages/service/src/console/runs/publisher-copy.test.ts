import { describe, expect, expectTypeOf, test } from 'vitest';
import { verifies } from '../../../../../tests/verifies.ts';
import type * as publisher from '../../../../publisher/src/events.ts';
import {
  type EventOf,
  type EventType,
  type ListOf,
  type MonitorEvent,
  monitorEvents,
  type ObjectWith,
} from './events.ts';
import { readEvent } from './read-event.ts';

const at = '2026-11-15T10:00:00.000Z';
const runId = '6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f';
const cell = {
  name: 'total',
  status: 'failed',
  expected: '1',
  actual: '2',
  note: 'n',
  rowIndex: 0,
  value: 'v',
  comparison: 'equals',
} as const;
const step = { uid: 'Cart/adds', stepId: 'adds', attempt: 1, stepNumber: 2 };
const written = {
  file: 'tests/cart.test.ts',
  line: 3,
  column: 1,
  project: 'light',
  path: ['cart', 'adds'],
  order: 1,
  tags: ['@fast'],
  skipReason: 'no network',
  todo: false,
};
const participant = 'vitest 1/2';
const place = { stackTrace: 'Error\n    at x', file: 'cart.ts', line: 3 };

type Full<Type extends publisher.MonitorEvent['type']> = Required<Extract<publisher.MonitorEvent, { type: Type }>>;

/** One event of each type with every member of the publisher's copy; a member renamed there does not compile here. */
const samples: { [Type in publisher.MonitorEvent['type']]: Full<Type> } = {
  run_started: {
    type: 'run_started',
    runId,
    suite: 'shop',
    repository: '/shop',
    branch: 'main',
    mode: 'in-process',
    startedAt: at,
    totalScenarios: 3,
    tag: 'release/tests',
    session: 's-1',
    command: 'c-1',
    commit: '3f2c1ab',
    dirty: false,
    repositoryId: 'github.com/acme/shop',
  },
  run_heartbeat: { type: 'run_heartbeat', runId, at },
  run_finished: {
    type: 'run_finished',
    runId,
    exitCode: 1,
    passed: 1,
    failed: 1,
    passedOnRetry: 1,
    indeterminate: 0,
    skipped: 1,
    interrupted: 'SIGINT',
    finishedAt: at,
  },
  participant_started: {
    type: 'participant_started',
    runId,
    participant,
    due: 2,
    totalScenarios: 3,
    processId: 1,
    at,
  },
  participant_finished: {
    type: 'participant_finished',
    runId,
    participant,
    exitCode: 1,
    passed: 1,
    failed: 1,
    passedOnRetry: 1,
    indeterminate: 0,
    skipped: 1,
    interrupted: 'SIGINT',
    at,
  },
  attachment: {
    type: 'attachment',
    runId,
    uid: 'Cart/adds',
    attempt: 1,
    name: 'page.png',
    mediaType: 'image/png',
    size: 3,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    data: 'YWJj',
    reason: 'none',
    at,
  },
  scenario_started: {
    type: 'scenario_started',
    runId,
    uid: 'Cart/adds',
    feature: 'Cart',
    scenario: 'adds',
    attempt: 1,
    at,
    totalSteps: 2,
    declaredSteps: [{ keyword: 'Given', text: 'a cart' }],
    plannedSteps: [{ keyword: 'Given', template: 'a cart', grammar: 'step', declaredStepNumber: 1 }],
    ...written,
  },
  scenario_finished: {
    type: 'scenario_finished',
    runId,
    uid: 'Cart/adds',
    outcome: 'Failed',
    attempts: 1,
    durationMs: 12,
    errorMessage: 'broken',
    touchedTypes: [{ name: 'Cart', fullName: 'Shop.Cart', assemblyName: 'Shop' }],
    at,
    reports: [{ title: 'Totals', columns: ['total'], cells: [cell], shortTitle: 'T', suppressedRows: 0 }],
    startedAt: at,
    errors: [
      {
        message: 'broken',
        name: 'Error',
        stack: 'Error: broken',
        expected: '1',
        actual: '2',
        cause: 'TypeError: inner',
        place: { file: 'cart.ts', line: 3, column: 1 },
        frame: { start: 2, lines: ['throw broken'] },
      },
    ],
    stackTrace: 'Error',
    rerun: 'npx vitest run cart.test.ts',
    stdout: ['printed'],
    stderr: ['warned'],
    stdoutMs: [3],
    stderrMs: [4],
    ...written,
  },
  retry_scheduled: {
    type: 'retry_scheduled',
    runId,
    uid: 'Cart/adds',
    nextAttempt: 2,
    disposition: 'RetryInProcess',
    reason: 'broken',
  },
  step_started: {
    type: 'step_started',
    runId,
    ...step,
    kind: 'When',
    text: 'adds 2',
    totalSteps: 2,
    scenarioElapsedMs: 1,
    declaredStepNumber: 1,
    plannedStepNumber: 1,
    values: [{ start: 5, length: 1 }],
    parentStepNumber: 1,
  },
  step_finished: {
    type: 'step_finished',
    runId,
    ...step,
    status: 'failed',
    durationMs: 4,
    errorMessage: 'broken',
    scenarioElapsedMs: 5,
    cells: [cell],
    columns: ['total'],
    logs: ['printed'],
    diagnostics: { rerun: 'npx vitest' },
    exceptionType: 'Error',
    stackTrace: 'Error',
    stackFrames: ['x'],
    hiddenStackFrames: 1,
  },
  step_progress: {
    type: 'step_progress',
    runId,
    ...step,
    message: 'row',
    row: 1,
    totalRows: 2,
    elapsedMs: 3,
    cells: [cell],
  },
  lane_started: { type: 'lane_started', runId, lane: 0, uids: ['Cart/adds'], at, participant },
  lane_finished: { type: 'lane_finished', runId, lane: 0, outcomes: 1, crashed: false, at, participant },
  resource_recycled: { type: 'resource_recycled', runId, resource: 'worker 2 of lane 0', at, participant },
  worker_faulted: {
    type: 'worker_faulted',
    runId,
    lane: 0,
    fault: 'gone',
    exitCode: 1,
    standardError: 'e',
    at,
    participant,
  },
  worker_started: { type: 'worker_started', runId, lane: 0, purpose: 'Lane', processId: 1, at, participant },
  test_stalled: {
    type: 'test_stalled',
    runId,
    uid: 'Cart/adds',
    displayName: 'adds',
    inFlightMs: 60_000,
    lane: 0,
    processId: 1,
    at,
    participant,
  },
  test_started: { type: 'test_started', runId, uid: 'Cart/adds', displayName: 'adds', lane: 0, at },
  test_finished: {
    type: 'test_finished',
    runId,
    uid: 'Cart/adds',
    displayName: 'adds',
    state: 'Failed',
    durationMs: 1,
    lane: 0,
    at,
    errorMessage: 'broken',
    ...place,
  },
  run_progress: {
    type: 'run_progress',
    runId,
    elapsedMs: 1,
    completed: 1,
    total: 2,
    inFlight: 1,
    longestRunningUid: 'Cart/adds',
    longestRunningDisplayName: 'adds',
    longestRunningMs: 1,
    peakWorkerRssBytes: 1,
    at,
  },
};

/** Every member of an event, lists of objects included: `cells`, `cells.name`. */
const membersOf = (value: object): string[] =>
  Object.entries(value)
    .filter(([name]) => name !== 'type' && name !== 'runId')
    .flatMap(([name, inner]) => {
      const first = Array.isArray(inner) ? inner[0] : inner;
      // The members of such a value are the publisher's own.
      return typeof first === 'object' && first !== null && name !== 'diagnostics'
        ? [name, ...membersOf(first).map((n) => `${name}.${n}`)]
        : [name];
    })
    .sort();

const membersInTable = (members: object): string[] =>
  Object.entries(members)
    .flatMap(([name, kind]: [string, string | ListOf | ObjectWith]) => {
      if (typeof kind === 'string') return [name];
      return [name, ...membersInTable('of' in kind ? kind.of : kind.with).map((n) => `${name}.${n}`)];
    })
    .sort();

describe('the two copies of the monitor events', () => {
  test('know the same types', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(monitorEvents).sort());
    expectTypeOf<publisher.MonitorEvent['type']>().toEqualTypeOf<EventType>();
  });

  test.each(Object.keys(samples) as EventType[])('give %s the same members', (type) => {
    expect(membersOf(samples[type])).toEqual(membersInTable(monitorEvents[type]));
  });

  verifies(
    'ingest:round-trip',
    'read each other: what a publisher writes comes out of the console byte for byte',
    () => {
      for (const sample of Object.values(samples)) {
        const sent = JSON.stringify(sample);
        const taken = readEvent(JSON.parse(sent));
        expect(typeof taken === 'string' ? taken : JSON.stringify(taken.event)).toBe(sent);
        expect(typeof taken === 'string' ? taken : JSON.stringify(taken.raw)).toBe(sent);
      }
    },
  );

  test('have types that fit both ways', () => {
    expectTypeOf<publisher.MonitorEvent>().toExtend<MonitorEvent>();
    type Keys<Type extends EventType> = keyof Extract<publisher.MonitorEvent, { type: Type }>;
    type Same = {
      [Type in EventType]: [Keys<Type>] extends [keyof EventOf<Type>]
        ? [keyof EventOf<Type>] extends [Keys<Type>]
          ? true
          : Type
        : Type;
    }[EventType];
    expectTypeOf<Same>().toEqualTypeOf<true>();
  });
});
