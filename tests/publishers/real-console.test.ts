import { describe, expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { start } from '../start.ts';
import { killed } from './behaves-like-a-publisher.ts';
import { createProject } from './project.ts';

const args = ['--test', '--test-reporter=signalbox-publisher/node-test', '--test-reporter-destination=stderr'];
const dies = `import { test } from 'node:test';
  test('adds', () => {});
  test('dies', async () => { await new Promise((resolve) => setTimeout(resolve, 200)); ${killed} });
  test('after', () => {});`;

describe('the console shows', () => {
  test('a dead worker as a fault with its victim, and the run as not green in every export', async () => {
    await using service = await start();
    await using project = await createProject({ 'cart.test.js': dies }, []);
    await project.run(args, { SIGNALBOX_URL: service.consoleUrl });
    const [run] = (await service.console('GET', '/api/runs')).body;
    expect(run).toMatchObject({
      state: 'finished',
      exitCode: 2,
      passed: 1,
      failed: 1,
      lost: 1,
      suite: 'shop:node-test',
    });
    const { body } = await service.console('GET', `/api/runs/${run.runId}`);
    expect(body.workerFaults).toMatchObject([{ lane: 0, fault: expect.stringContaining('"dies"') }]);
    expect(body.lanes).toMatchObject([{ lane: 0, status: 'crashed' }]);
    const victim = body.scenarios.find(({ scenario }: { scenario: string }) => scenario === 'dies');
    expect(victim).toMatchObject({ outcome: 'Aborted', feature: 'cart.test.js' });
    const junit = await service.console('GET', `/api/runs/${run.runId}/export?format=junit`);
    expect(junit.text).toContain('<error');
  });

  test('a run as not green that Node calls passed although a process left in the middle of its tests', async () => {
    await using service = await start();
    await using project = await createProject(
      {
        'cart.test.js': `import { test } from 'node:test'; test('leaves', async () => { await new Promise((resolve) => setTimeout(resolve, 200)); process.exit(0); }); test('after', () => {});`,
      },
      [],
    );
    const { code } = await project.run(args, { SIGNALBOX_URL: service.consoleUrl });
    expect(code).toBe(0);
    const { body } = await service.console('GET', '/api/runs');
    expect(body).toMatchObject([{ state: 'finished', exitCode: 2, passed: 0 }]);
  });

  test('a test as stalled that takes longer than any, unless it always does', async () => {
    await using service = await start();
    await using project = await createProject(
      {
        'slow.test.js': `import { test } from 'node:test'; test('slow', () => new Promise((resolve) => setTimeout(resolve, 3_000)));`,
      },
      [],
    );
    const stallsOf = async (runId: string) => {
      await project.run(args, {
        SIGNALBOX_URL: service.consoleUrl,
        SIGNALBOX_RUN_ID: runId,
        SIGNALBOX_STALL_SECONDS: '1',
      });
      return (await service.console('GET', `/api/runs/${runId}`)).body.stalls;
    };
    expect(await stallsOf('first')).toMatchObject([{ uid: 'slow.test.js/slow', lane: 0 }]);
    expect(await stallsOf('second')).toEqual([]);
  });

  test('a killed runner as an orphan after Service:OrphanSeconds of silence, with its running tests', async () => {
    await using service = await start({ clock: systemClock, settings: { OrphanSeconds: '3' } });
    await using project = await createProject(
      {
        'cart.test.js': `import { test } from 'node:test'; test('hangs', () => new Promise((resolve) => setTimeout(resolve, 120_000)));`,
      },
      [],
    );
    const { ended, killAll } = project.start(args, { SIGNALBOX_URL: service.consoleUrl });
    const runs = async () => (await service.console('GET', '/api/runs')).body;
    await expect.poll(runs).toMatchObject([{ state: 'running', running: 1 }]);
    killAll();
    await ended;
    await expect.poll(runs).toMatchObject([{ state: 'orphaned', lost: 1 }]);
  });
});
