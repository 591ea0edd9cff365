import { describe, expect, test } from 'vitest';
import { createProject } from '../../publishers/project.ts';
import { recordFigure } from '../../rounds.ts';
import { start } from '../../start.ts';

/** 5,000 tests against the real console: all arrive, and the publisher computes little compared with the runner. */
export function takesManyTests(framework: {
  name: string;
  packages: readonly string[];
  args: readonly string[];
  plainArgs: readonly string[];
  files: Record<string, string>;
}): void {
  describe(`5,000 tests of ${framework.name}`, () => {
    test('reach the console without a loss and without being felt', async () => {
      await using service = await start();
      await using project = await createProject(framework.files, framework.packages);
      const plain = await project.run(framework.plainArgs);
      const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_MEASURE: 'spent.json' };
      const { code } = await project.run(framework.args, env);
      expect([plain.code, code]).toEqual([0, 0]);
      const { body } = await service.console('GET', '/api/runs');
      expect(body).toMatchObject([{ state: 'finished', exitCode: 0, passed: 5_000, scenarios: 5_000, lost: 0 }]);
      const { cpuMs } = JSON.parse(await project.read('spent.json')) as { cpuMs: number };
      const share = cpuMs / plain.ms;
      recordFigure(
        'publishers',
        `${framework.name}: ${cpuMs.toFixed(0)} ms of computing, ${share.toFixed(3)} of the run without it`,
      );
      expect(share).toBeLessThan(0.25);
    });
  });
}

/** This many files with this many tests each. */
export const filesOf = (
  count: number,
  name: (n: number) => string,
  content: (n: number) => string,
): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), content(n)]));
