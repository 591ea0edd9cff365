import { beforeAll, describe, expect, test } from 'vitest';
import type { MonitorEvent } from '../../../packages/publisher/src/events.ts';
import { start } from '../../start.ts';
import { createProject } from '../project.ts';
import { openConsole, type RecordingConsole } from '../recording-console.ts';
import { signalbox } from '../signalbox.ts';
import type { Framework } from './framework.ts';

type Finished = Extract<MonitorEvent, { type: 'scenario_finished' }>;
type Started = Extract<MonitorEvent, { type: 'scenario_started' }>;
type Told = { started: Started[]; last: Map<string, Finished>; name(uid: string): string };

const told = ({ of }: Pick<RecordingConsole, 'of'>): Told => {
  const started = of('scenario_started');
  const names = new Map(started.map(({ uid, scenario }) => [uid, scenario]));
  return {
    started,
    last: new Map(of('scenario_finished').map((one) => [one.uid, one])),
    name: (uid) => names.get(uid) ?? '',
  };
};

async function runOf(framework: Framework, files: Record<string, string>, args: readonly string[], env = {}) {
  const console = await openConsole();
  await using project = await createProject(files, framework.packages);
  const ended = await project.run(args, { SIGNALBOX_URL: console.url, ...env });
  await console[Symbol.asyncDispose]();
  return { console, ended };
}

/** The points on which every publisher must report a suite correctly. The titles are the rows of the table in the guides. */
export function tellsTheTruth(framework: Framework): void {
  describe(`${framework.name} tells`, () => {
    const { example } = framework;
    let run: Awaited<ReturnType<typeof runOf>>;
    let tests: Told;
    const of = (scenario: string) => [...tests.last.values()].find(({ uid }) => tests.name(uid) === scenario);

    beforeAll(async () => {
      run = await runOf(framework, example.files, framework.args());
      tests = told(run.console);
    });

    test('identity: the same test has the same uid, whatever the order and the workers', async () => {
      const { otherOrder } = framework;
      const files = { ...example.files, ...otherOrder.files };
      const other = await runOf(framework, files, [...framework.args(), ...(otherOrder.args ?? [])]);
      const verdicts = ({ last, name }: Told) =>
        [...last].flatMap(([uid, { outcome }]) => (otherOrder.untold?.includes(name(uid)) ? [] : `${uid}: ${outcome}`));
      expect(verdicts(told(other.console)).sort()).toEqual(verdicts(tests).sort());
      expect(example.twins.map((name) => of(name)?.outcome)).toEqual(['CleanPass', 'Failed']);
      for (const { uid, file, path, scenario } of tests.started) {
        if (scenario.includes('hook') || scenario.startsWith('(')) continue;
        expect(path?.at(-1)).toBe(
          scenario
            .replace(/ #\d+$/, '')
            .split(' > ')
            .at(-1),
        );
        expect(file, uid).toMatch(/^(tests?|features)\//);
      }
      if (example.line)
        expect(tests.started.find(({ uid }) => uid === example.line?.uid)?.line).toBe(example.line.line);
      if (example.tags) expect(tests.started.find(({ tags }) => tags)?.tags).toEqual(example.tags);
    });

    test('counts: every test once, with the verdict of the runner', () => {
      const verdicts = [...tests.last.values()].map(({ uid, outcome }) => `${tests.name(uid)}: ${outcome}`).sort();
      expect(verdicts).toEqual(example.expected.map(({ scenario, outcome }) => `${scenario}: ${outcome}`).sort());
      const count = (...outcomes: string[]) =>
        example.expected.filter(({ outcome }) => outcomes.includes(outcome)).length;
      expect(run.console.of('run_finished')).toMatchObject([
        {
          exitCode: 1,
          passed: count('CleanPass'),
          failed: count('Failed'),
          passedOnRetry: count('PassOnRetry'),
          skipped: count('Skipped'),
        },
      ]);
      expect(run.console.of('run_started').at(-1)?.totalScenarios).toBe(example.expected.length);
      expect(run.ended.code).not.toBe(0);
    });

    test('retries: an attempt is never a second test, and a second test is never an attempt', () => {
      const retried = example.expected.filter(({ outcome }) => outcome === 'PassOnRetry');
      const attempts = run.console.of('scenario_finished').filter(({ attempts: number }) => number > 1);
      expect(attempts.map(({ uid }) => tests.name(uid))).toEqual(retried.map(({ scenario }) => scenario));
      expect(run.console.of('retry_scheduled')).toHaveLength(retried.length);
    });

    test('errors: all of them, with what was compared, where, and what caused them', () => {
      for (const { scenario, errors = [] } of example.expected) {
        const said = (of(scenario)?.errors ?? []).map(({ message }) => message ?? '');
        expect(said, scenario).toHaveLength(errors.length);
        for (const [at, text] of errors.entries()) expect(said[at]).toContain(text);
        if (errors[0]) expect(of(scenario)?.errorMessage).toContain(errors[0]);
      }
      const comparing = of(example.expected.find(({ scenario }) => scenario.endsWith('compares'))?.scenario ?? '');
      if (example.compared) expect(comparing?.errors?.[0]).toMatchObject(example.compared);
      const [twin] = of(example.twins[1])?.errors ?? [];
      expect(twin?.place?.file).toMatch(/^(tests?|features)\//);
      expect(twin?.frame?.lines?.[(twin.place?.line ?? 0) - (twin.frame.start ?? 0)]).toContain('second twin');
      if (example.cause) expect(of('cart > caused')?.errors?.[0]?.cause).toContain(example.cause);
    });

    test('hooks and skips: whose they are, and why a test did not run', () => {
      for (const { scenario, skipReason, todo } of example.expected) {
        expect(of(scenario)?.skipReason ?? undefined, scenario).toBe(skipReason);
        expect(of(scenario)?.todo ?? undefined, scenario).toBe(todo);
      }
    });

    test('interruption: which signal ended it, and what was due', async () => {
      const { files, due } = framework.interrupted;
      await using console = await openConsole();
      await using project = await createProject(files, framework.packages);
      const env = { SIGNALBOX_URL: console.url, SIGNALBOX_PROBE_MS: '60000' };
      const { child, ended } = project.start(framework.args(), env);
      const hanging = () => console.of('scenario_started').some(({ uid }) => uid.includes('hangs'));
      await expect.poll(hanging).toBe(true);
      child.kill('SIGINT');
      await ended;
      expect(console.of('run_finished')).toMatchObject([{ interrupted: 'SIGINT', exitCode: 2, passed: 1 }]);
      expect(console.of('run_started').at(-1)?.totalScenarios).toBe(due);
    });

    test('shards: one run of two processes, red when one of them is', async () => {
      const { files, first, second, args } = framework.shards;
      const part = (index: 1 | 2) =>
        args ? [...framework.args(), ...args(index, 2)] : framework.args({ files: [index === 1 ? first : second] });
      await using service = await start();
      await using project = await createProject(files, framework.packages);
      const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_RUN_ID: 'sharded', SIGNALBOX_PROBE_MS: '60000' };
      const summary = async () => (await service.console('GET', '/api/runs/sharded')).body.run;
      await project.run(part(1), { ...env, SIGNALBOX_SHARD: '1/2' });
      expect(await summary()).toMatchObject({ state: 'running', scenarios: 1, lost: 0, green: null });
      await project.run(part(2), { ...env, SIGNALBOX_SHARD: '2/2' });
      const counted = { passed: 1, failed: 1, lost: 0 };
      expect(await summary()).toMatchObject({ state: 'finished', exitCode: 1, green: false, ...counted });
      const { lanes } = (await service.console('GET', '/api/runs/sharded')).body;
      expect(new Set(lanes.map(({ lane }: { lane: number }) => lane)).size).toBe(lanes.length);
    });

    test('participants: under signalbox run the same as alone', async () => {
      await using service = await start();
      await using project = await createProject(example.files, framework.packages);
      const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_PROBE_MS: '60000' };
      // The first run published what a console would have received.
      const { status } = await service.console('POST', '/api/ingest', { events: run.console.events });
      expect(status).toBe(202);
      const alone = run.console.of('run_started')[0]?.runId;
      const { code } = await signalbox(project.folder, ['run', '--', project.node, ...framework.args()], env);
      expect(code).not.toBe(0);
      const runs = (await service.console('GET', '/api/runs')).body as { runId: string }[];
      const figures = async (runId: string | undefined) => {
        const { run: summary, scenarios } = (await service.console('GET', `/api/runs/${runId}`)).body;
        const { passed, failed, passedOnRetry, skipped, lost, totalScenarios, exitCode } = summary;
        const verdicts = scenarios.map(({ uid, outcome }: Finished) => `${uid}: ${outcome}`).sort();
        return { passed, failed, passedOnRetry, skipped, lost, totalScenarios, exitCode, verdicts };
      };
      const watched = await figures(runs.find(({ runId }) => runId !== alone)?.runId);
      expect(watched).toEqual(await figures(alone));
      expect(watched.verdicts).toHaveLength(example.expected.length);
    });

    test('projects: a test that runs in two of them is two tests', async () => {
      const { files, args = [], uids } = framework.projects;
      const { console } = await runOf(framework, files, [...framework.args(), ...args]);
      expect([...told(console).last.keys()].sort()).toEqual([...uids].sort());
      expect(console.of('run_finished')).toMatchObject([{ passed: uids.length, passedOnRetry: 0 }]);
    });

    test('output: what a test printed, also when it passed, and no more than 64 KB of it', async () => {
      if (!framework.output) return;
      const { console } = await runOf(framework, framework.output.files, framework.args());
      const steps = console.of('step_finished');
      const printedBy = (name: string) => {
        const test = console.of('scenario_finished').find(({ uid }) => uid.endsWith(name));
        const logs = steps.filter(({ uid }) => uid === test?.uid).flatMap((step) => step.logs ?? []);
        return { stdout: [...(test?.stdout ?? []), ...logs], stderr: [...(test?.stderr ?? []), ...logs] };
      };
      expect(printedBy('talks').stdout).toContain('said aloud');
      if (framework.output.stderr) expect(printedBy('talks').stderr).toContain('said aside');
      const flooded = printedBy('floods').stdout;
      expect(flooded.join('\n')).toContain('flood 3999');
      expect(flooded.join('\n').length).toBeLessThanOrEqual(65_536 + 200);
    });
  });
}
