import { describe, expect, test } from 'vitest';
import { verifies } from '../verifies.ts';
import { createProject } from './project.ts';
import { type Behaviour, openConsole } from './recording-console.ts';

const test2 = (name: string) => `{ uid: 'cart/${name}', feature: 'cart', scenario: '${name}', file: null, line: null }`;
const begin = `import { createPublisher } from 'signalbox-publisher'; const publisher = createPublisher(); publisher.begin();`;
const one = `publisher.start(${test2('adds')}); publisher.end(${test2('adds')}, { state: 'passed' });`;
const block = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;

const projectOf = (script: string) => createProject({ 'run.js': script }, []);
const runOf = async (script: string, url: string, env: Record<string, string> = {}) => {
  await using project = await projectOf(script);
  return await project.run(['run.js'], { SIGNALBOX_URL: url, ...env });
};

describe('a publisher', () => {
  verifies('publisher:beats', 'beats every 10 s, also while a test does not let go of the process', async () => {
    await using console = await openConsole();
    const { code } = await runOf(
      `${begin} publisher.start(${test2('spins')}); await new Promise((r) => setTimeout(r)); ${block(11_500)} await publisher.close();`,
      console.url,
    );
    expect(code).toBe(0);
    const types = console.events.map((event) => event.type);
    expect(types.indexOf('run_heartbeat')).toBeGreaterThan(types.indexOf('scenario_started'));
    expect(types.indexOf('run_heartbeat')).toBeLessThan(types.indexOf('run_finished'));
    expect(console.of('run_progress').at(-1)).toMatchObject({ inFlight: 1, longestRunningUid: 'cart/spins' });
  });

  test('asks nothing and sends nothing when it is switched off', async () => {
    await using console = await openConsole();
    await runOf(`${begin} ${one} await publisher.close();`, console.url, { SIGNALBOX: '0' });
    expect(console).toMatchObject({ pings: 0, posts: 0 });
  });

  test('in a run that belongs to another process it reports only the tests, not start and end', async () => {
    await using console = await openConsole();
    const env = { SIGNALBOX_RUN_ID: 'shared-1', SIGNALBOX_RUN_OWNER: 'supervisor', SIGNALBOX_TOKEN: 'secret' };
    await runOf(`${begin} ${one} await publisher.close();`, console.url, env);
    expect(console.events.map((event) => event.type)).toEqual([
      'participant_started',
      'scenario_started',
      'scenario_finished',
      'participant_started',
      'participant_finished',
    ]);
    expect(console.of('participant_finished')).toMatchObject([{ exitCode: 0, passed: 1, failed: 0 }]);
    expect(console.events.every((event) => event.runId === 'shared-1')).toBe(true);
    expect(console.authorization).toBe('Bearer secret');
  });

  test('many runs in one process, each with its own node, address and token, cause no leak warning and leave no listener', async () => {
    await using console = await openConsole();
    const script = `import { createPublisher } from 'signalbox-publisher';
      await createPublisher({ url: '${console.url}' }).close();
      const before = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name)).join();
      const options = (n) => ({ tag: 'shop/n' + n, url: '${console.url}', token: 'secret' });
      const runs = Array.from({ length: 12 }, (_, n) => createPublisher(options(n)));
      for (const publisher of runs) { publisher.begin(); ${one} }
      await Promise.all(runs.map((publisher) => publisher.close()));
      const after = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name)).join();
      if (after !== before) console.error(before + ' became ' + after);`;
    const { code, stderr } = await runOf(script, 'http://127.0.0.1:1', {
      SIGNALBOX_RUN_TAG: 'shop/other',
      SIGNALBOX_PROBE_MS: '60000',
    });
    expect([code, stderr]).toEqual([0, '']);
    const tags = new Set(console.of('run_started').map(({ tag }) => tag));
    // A slow console may be given up, so not every tag has certainly arrived.
    expect([...tags].every((tag) => /^shop\/n\d+$/.test(String(tag)))).toBe(true);
    expect(tags.size).toBeGreaterThan(0);
    expect(console.authorization).toBe('Bearer secret');
  });

  const numbers = Array.from({ length: 30 }, (_, n) => n);
  test('thirty runs of one process share one thread, which asks the console once, and none of them is lost', async () => {
    await using console = await openConsole();
    await using project = await projectOf(`import { createPublisher } from 'signalbox-publisher';
      for (let n = 0; n < 30; n++) {
        const publisher = createPublisher({ tag: 'shop/n' + n });
        publisher.begin(1); ${one} void publisher.close();
      }
      process.stdin.resume();`);
    project.start(['run.js'], { SIGNALBOX_URL: console.url, SIGNALBOX_PROBE_MS: '60000' });
    await expect.poll(() => console.of('run_finished').length).toBe(30);
    const tags = new Set(console.of('run_started').map(({ tag }) => tag));
    expect([...tags].toSorted()).toEqual(numbers.map((n) => `shop/n${n}`).toSorted());
    expect(new Set(console.of('run_finished').map(({ runId }) => runId)).size).toBe(30);
    expect(console.pings).toBe(1);
  });

  test.each(['fails', 'gateway'] as const)(
    'a run that ended while its console was away (%s) is sent when the console is back, if the process lives',
    async (behaviour) => {
      await using console = await openConsole(behaviour);
      await using project = await projectOf(`${begin} ${one} await publisher.close(); process.stdin.resume();`);
      project.start(['run.js'], { SIGNALBOX_URL: console.url, SIGNALBOX_PROBE_MS: '60000' });
      // A run that ends waits for two refusals.
      await expect.poll(() => console.posts).toBeGreaterThan(2);
      console.behaviour = 'console';
      await expect.poll(() => console.of('run_finished').length).toBe(1);
      expect(console.of('scenario_finished')).toHaveLength(1);
    },
  );

  test.each(['gateway', 'other port'] as const)(
    'an address that answers 404 (%s) does not hold up the end, and what our service does not know is asked once',
    async (behaviour) => {
      await using console = await openConsole(behaviour);
      const { code } = await runOf(`${begin} ${one} await publisher.close();`, console.url);
      expect(code).toBe(0);
      if (behaviour === 'other port') expect(console.posts).toBe(1);
      else expect(console.posts).toBeLessThan(5);
    },
  );

  test.each(['await publisher.close()', 'process.exit(0)'])(
    'what the console rejects is named in one line at the end (%s)',
    async (end) => {
      await using console = await openConsole();
      console.rejects = { types: ['scenario_started', 'scenario_finished'], message: 'the run is \u001b[31mfull' };
      const { code, stdout, stderr } = await runOf(`${begin} ${one} ${end};`, console.url);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toBe(
        'signalbox-publisher: the run console rejected 2 events, so the run is incomplete: the run is ·[31mfull\n',
      );
    },
  );

  test('a process that leaves without closing its run has it closed, and is not green', async () => {
    await using console = await openConsole();
    const { code } = await runOf(`${begin} ${one} publisher.start(${test2('left')}); process.exit(5);`, console.url);
    expect(code).toBe(5);
    expect(console.of('run_finished')).toMatchObject([{ exitCode: 2, passed: 1, failed: 1 }]);
    expect(console.of('scenario_finished').at(-1)).toMatchObject({ uid: 'cart/left', outcome: 'Aborted' });
  });

  test('does not keep a process alive', async () => {
    await using console = await openConsole();
    const { code } = await runOf(`${begin} ${one}`, console.url);
    expect(code).toBe(0);
    expect(console.of('run_finished')).toHaveLength(1);
  });

  test('a connection that was reset is tried again, and nothing is lost', async () => {
    await using console = await openConsole('resets-once');
    await runOf(`${begin} await new Promise((r) => setTimeout(r, 300)); ${one} await publisher.close();`, console.url);
    expect(console.events.map((event) => event.type)).toContain('run_finished');
    expect(console.of('scenario_finished')).toHaveLength(1);
  });

  const many = `${begin} for (let n = 0; n < 2_000; n++) { const t = { uid: 'cart/' + n, feature: 'cart', scenario: '' + n, file: null, line: null };
    publisher.start(t); publisher.end(t, { state: 'passed', durationMs: 1 }); if (n % 20 === 0) await new Promise((r) => setTimeout(r, 30)); }
    await publisher.close();`;

  // Each test waits most of its time, so they run concurrently.
  test.concurrent.each<Behaviour>(['hangs', 'fails', 'dies', 'refuses'])(
    'a console that %s does no harm to the run',
    async (behaviour) => {
      await using console = await openConsole(behaviour);
      const { code, stderr } = await runOf(many, console.url);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  test.concurrent('a healthy console gets everything, in order', async () => {
    await using console = await openConsole();
    await runOf(many, console.url);
    expect(console.of('run_finished')).toMatchObject([{ exitCode: 0, passed: 2_000 }]);
    expect(console.of('scenario_finished').map((event) => event.uid.slice(5))).toEqual(
      Array.from({ length: 2_000 }, (_, n) => `${n}`),
    );
  });
});
