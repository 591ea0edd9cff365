import { connect } from 'node:net';

// The events of eight publishers, each with its own run, in batches of 100.
export const publishers = 8;
const batchesEach = 40;

function eventsOf(connection: number, number: number): object[] {
  const runId = `00000000-0000-4000-8000-${String(connection).padStart(12, '0')}`;
  return Array.from({ length: 20 }, (_, index) => {
    const uid = `Checkout ${connection}/A customer pays order ${number}-${index} by card and is told so`;
    const step = { runId, uid, stepId: 'PaymentSteps.PayByCard', attempt: 1, stepNumber: 1 };
    const at = `2026-11-15T10:00:${String(number % 60).padStart(2, '0')}.1234567+00:00`;
    return [
      {
        type: 'scenario_started',
        runId,
        uid,
        feature: `Checkout ${connection}`,
        scenario: `A customer pays order ${number}-${index} by card and is told so`,
        attempt: 1,
        at,
        totalSteps: 1,
      },
      {
        type: 'step_started',
        ...step,
        kind: 'When',
        text: 'the customer pays 25 euros by card at the till',
        totalSteps: 1,
        scenarioElapsedMs: 12,
      },
      {
        type: 'step_progress',
        ...step,
        message: 'waiting for the terminal to answer',
        row: null,
        totalRows: null,
        elapsedMs: 120,
        cells: null,
      },
      {
        type: 'step_finished',
        ...step,
        status: 'success',
        durationMs: 340,
        errorMessage: null,
        scenarioElapsedMs: 352,
        cells: null,
        columns: null,
        logs: ['authorised'],
      },
      {
        type: 'scenario_finished',
        runId,
        uid,
        outcome: 'CleanPass',
        attempts: 1,
        durationMs: 353,
        errorMessage: null,
        touchedTypes: null,
        at,
        reports: null,
      },
    ];
  }).flat();
}

/** The batches of each publisher, in order. */
export const batches: readonly (readonly object[])[][] = Array.from({ length: publishers }, (_, publisher) =>
  Array.from({ length: batchesEach }, (_, number) => eventsOf(publisher, number)),
);

/** The same as requests, prepared in advance. */
export const requestsOf = (all: readonly (readonly object[])[]): Buffer[] =>
  all.map((events) => {
    const body = JSON.stringify({ events });
    const head = `POST /api/ingest HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.from(head + body);
  });

/** One connection that sends one batch after the other until the time is up. It only searches answers for their end. */
export function publish(port: number, own: readonly Buffer[], end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    let sent = 0;
    let answer = '';
    const send = () => socket.write(own[sent % own.length] ?? '');
    socket.on('connect', send).on('error', reject);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      const head = answer.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (head < 0 || answer.length < head + 4 + length) return;
      if (!answer.startsWith('HTTP/1.1 202')) reject(new Error(answer.slice(0, 200)));
      answer = '';
      sent += 1;
      if (performance.now() < end) send();
      else {
        socket.destroy();
        resolve(sent * 100);
      }
    });
  });
}
