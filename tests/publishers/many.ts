import { describe, expect, test } from 'vitest';
import { start } from '../start.ts';
import { createProject } from './project.ts';

/** 5,000 tests against the real console: all arrive, and none costs the main thread more than a tenth of a millisecond. */
export function takesManyTests(framework: {
  name: string;
  packages: readonly string[];
  args: readonly string[];
  files: Record<string, string>;
}): void {
  describe(`5,000 tests of ${framework.name}`, () => {
    test('reach the console without a loss and without being felt', async () => {
      await using service = await start();
      await using project = await createProject(framework.files, framework.packages);
      const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_MEASURE: 'spent.json' };
      const { code, ms, stolenMs } = await project.run(framework.args, env);
      expect(code).toBe(0);
      const { body } = await service.console('GET', '/api/runs');
      expect(body).toMatchObject([{ state: 'finished', exitCode: 0, passed: 5_000, scenarios: 5_000, lost: 0 }]);
      const { cpuMs } = JSON.parse(await project.read('spent.json')) as { cpuMs: number };
      if (process.env.SIGNALBOX_FIGURES)
        process.stderr.write(`${framework.name}: ${cpuMs.toFixed(0)} of ${ms.toFixed(0)} ms\n`);
      expect((cpuMs - stolenMs) / 5_000).toBeLessThan(0.1);
    });
  });
}

/** So many files of so many tests each. */
export const filesOf = (
  count: number,
  name: (n: number) => string,
  content: (n: number) => string,
): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), content(n)]));
