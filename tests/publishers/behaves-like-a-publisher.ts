import { describe, expect, test } from 'vitest';
import type { MonitorEvent } from '../../packages/publisher/src/events.ts';
import { verifies } from '../verifies.ts';
import { createProject } from './project.ts';
import { openConsole } from './recording-console.ts';

/** One test framework, with a small project for each thing that can happen in a run. */
export type Framework = {
  name: string;
  packages: readonly string[];
  /** The command's arguments with the publisher, and as the user had it before. */
  args: readonly string[];
  plainArgs: readonly string[];
  env?: Record<string, string>;
  /** Set if the feature of a scenario is its file. */
  mixed: Record<string, string>;
  passes: Record<string, string>;
  hangs: Record<string, string>;
  dies: Record<string, string>;
  /** Set if tests run in workers only on request. */
  diesArgs?: readonly string[];
  /** What the publisher can know when a worker is killed. */
  death: { victim: boolean; lost: number };
  hasRetries: boolean;
  /** Whether the framework reports what a test printed. */
  prints: boolean;
};

export const killed = `process.kill(process.pid, 'SIGKILL'); await new Promise((resolve) => setTimeout(resolve, 5_000))`;

/** A runner's output without times. */
const withoutTimes = (text: string) =>
  text
    .replaceAll(/signalbox-project-\w+/g, 'PROJECT')
    .replaceAll(/\d+(\.\d+)? ?(ms|s|m)\b/g, 'TIME')
    .replaceAll(', estimated TIME', '')
    .replaceAll(/\d\d:\d\d:\d\d/g, 'CLOCK')
    .replaceAll(/\(node:\d+\)/g, 'NODE')
    .replaceAll(/duration_ms:? \d+(\.\d+)?/g, 'TIME')
    .replaceAll(/ \([^)]*%[^)]*\)|.*Isolate.*|.*faster with isolate.*/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .sort();

const endOf = (events: readonly MonitorEvent[]) => events.find((event) => event.type === 'run_finished');

export function behavesLikeAPublisher(framework: Framework): void {
  const { packages, args, plainArgs, env = {} } = framework;
  describe(`the ${framework.name} publisher`, () => {
    verifies(
      ['publisher:sends-skipped', 'publisher:sends-attempt-and-step-number'],
      'tells passes, failures, retries and skips as they were',
      async () => {
        await using console = await openConsole();
        await using project = await createProject(framework.mixed, packages);
        const { code } = await project.run(args, {
          ...env,
          SIGNALBOX_URL: console.url,
          SIGNALBOX_RUN_TAG: 'release/tests',
        });
        expect(code).not.toBe(0);
        const retried = framework.hasRetries ? 1 : 0;
        expect(endOf(console.events)).toMatchObject({
          exitCode: 1,
          passed: 1,
          failed: 1,
          passedOnRetry: retried,
          skipped: 1,
          indeterminate: 0,
        });
        expect(console.of('run_started').at(-1)).toMatchObject({
          branch: 'main',
          tag: 'release/tests',
          totalScenarios: 3 + retried,
        });
        expect(console.events.at(0)?.type).toBe('run_started');
        expect(console.events.at(-1)?.type).toBe('run_finished');

        const added = console.of('scenario_finished').find((event) => event.uid.includes('adds'));
        expect(added?.touchedTypes).toEqual([{ name: 'Cart', fullName: 'Shop.Cart', assemblyName: '' }]);
        const failed = console.of('scenario_finished').find((event) => event.uid.includes('breaks'));
        expect(failed).toMatchObject({ outcome: 'Failed', errorMessage: expect.stringContaining('broken') });
        expect(failed?.errors?.[0]?.place?.line).toBeGreaterThan(0);
        const steps = console.of('step_finished').filter((event) => event.uid === failed?.uid);
        expect(steps.at(-1)).toMatchObject({ attempt: 1, stepNumber: expect.any(Number) });
        expect(failed?.rerun).toEqual(expect.stringMatching(/^(npx|node) /));
        const printed = [...(failed?.stdout ?? []), ...steps.flatMap(({ logs }) => logs ?? [])];
        if (framework.prints) expect(printed.join()).toContain('printed');
        if (framework.hasRetries) {
          const attempts = console.of('scenario_finished').filter((event) => event.uid.includes('flaky'));
          expect(attempts.map(({ outcome, attempts: number }) => [outcome, number])).toEqual([
            ['Failed', 1],
            ['PassOnRetry', 2],
          ]);
          expect(console.of('retry_scheduled')).toMatchObject([{ nextAttempt: 2, reason: expect.any(String) }]);
        }
      },
    );

    test('a run that lost tests to a dead worker is not green, and says which', async () => {
      await using console = await openConsole();
      await using project = await createProject(framework.dies, packages);
      await project.run(framework.diesArgs ?? args, { ...env, SIGNALBOX_URL: console.url });
      expect(endOf(console.events)).toMatchObject({ exitCode: 2 });
      expect(console.of('worker_faulted')).toHaveLength(1);
      const ended = new Set(console.of('scenario_finished').map((event) => event.uid));
      const lost = console.of('scenario_started').filter((event) => !ended.has(event.uid));
      expect(lost).toHaveLength(framework.death.lost);
      if (!framework.death.victim) return;
      const victim = console.of('scenario_finished').find((event) => event.uid.includes('dies'));
      expect(['Aborted', 'Failed']).toContain(victim?.outcome);
      expect(console.of('worker_faulted')[0]?.fault).toContain('dies');
    });

    test('a test that hangs is called stalled, and a killed runner leaves its run open', async () => {
      await using console = await openConsole();
      await using project = await createProject(framework.hangs, packages);
      const { ended, killAll } = project.start(args, {
        ...env,
        SIGNALBOX_URL: console.url,
        SIGNALBOX_STALL_SECONDS: '1',
      });
      await expect.poll(() => console.of('test_stalled')).toMatchObject([{ uid: expect.stringContaining('hangs') }]);
      killAll();
      await ended;
      expect(endOf(console.events)).toBeUndefined();
      expect(console.of('scenario_started').map((event) => event.uid)).toContainEqual(expect.stringContaining('hangs'));
    });

    verifies(
      'publisher:probes-once',
      'changes neither output nor exit code, whether a console is there or not',
      async () => {
        await using project = await createProject(framework.passes, packages);
        await using foreign = await openConsole('foreign');
        await using console = await openConsole();
        const plain = await project.run(plainArgs, env);
        // All publishers find the console with the same code, so the fastest framework tests every case.
        const elsewhere = framework.name === 'node:test' ? ['http://127.0.0.1:9', foreign.url] : [];
        for (const url of [...elsewhere, console.url]) {
          const told = await project.run(args, { ...env, SIGNALBOX_URL: url });
          expect(told.code).toBe(plain.code);
          expect(withoutTimes(told.stdout)).toEqual(withoutTimes(plain.stdout));
          expect(withoutTimes(told.stderr)).toEqual(withoutTimes(plain.stderr));
        }
        expect(foreign).toMatchObject({ pings: elsewhere.length === 0 ? 0 : 1, posts: 0 });
        expect(console.pings).toBe(1);
        expect(endOf(console.events)).toMatchObject({ exitCode: 0, passed: 1, failed: 0 });
      },
    );
  });
}
