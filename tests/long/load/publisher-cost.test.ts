import { expect, test } from 'vitest';
import { createProject } from '../../publishers/project.ts';
import { type Behaviour, openConsole } from '../../publishers/recording-console.ts';
import { recordFigure } from '../../rounds.ts';

/** 2,000 tests over at least three seconds; prints how long closing the publisher took. */
const script = `import { createPublisher } from 'signalbox-publisher';
const publisher = createPublisher();
publisher.begin();
for (let n = 0; n < 2_000; n++) {
  const test = { uid: 'cart/' + n, feature: 'cart', scenario: '' + n, file: null, line: null };
  publisher.start(test);
  publisher.end(test, { state: 'passed', durationMs: 1 });
  if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
}
const before = performance.now();
await publisher.close();
console.log(Math.round(performance.now() - before));`;

test.each<Behaviour>(['console', 'foreign', 'hangs', 'fails', 'dies', 'refuses'])(
  'a publisher computes for at most a tenth of its run, and closes within a third of it, where the console is: %s',
  async (behaviour) => {
    await using console = await openConsole(behaviour);
    await using project = await createProject({ 'run.js': script }, []);
    // The last request may take as long as a console is given to answer; tests give more than the usual 250 ms.
    const probe = behaviour === 'hangs' ? { SIGNALBOX_PROBE_MS: '250' } : {};
    const env = { SIGNALBOX_URL: console.url, SIGNALBOX_MEASURE: 'spent.json', ...probe };
    const { code, stdout, ms } = await project.run(['run.js'], env);
    const { cpuMs } = JSON.parse(await project.read('spent.json')) as { cpuMs: number };
    recordFigure(
      'publishers',
      `${behaviour}: ${(cpuMs / ms).toFixed(3)} of the run computing, closed in ${stdout.trim()} ms`,
    );
    expect(code).toBe(0);
    expect(cpuMs / ms).toBeLessThan(0.1);
    expect(Number(stdout) / ms).toBeLessThan(1 / 3);
  },
);
