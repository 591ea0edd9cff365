import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import allowedSkips from './allowed-skips.json' with { type: 'json' };

/**
 * Where `SIGNALBOX_NO_OTHER_SKIPS` is set, a test that was skipped in a file that `allowed-skips.json` does not name for
 * this system fails the run: nothing is left out silently.
 */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!process.env.SIGNALBOX_NO_OTHER_SKIPS) return;
    const allowed: Partial<Record<string, readonly string[]>> = allowedSkips;
    const files = new Set(allowed[process.platform]);
    const others = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId).replaceAll('\\', '/');
      return files.has(file)
        ? []
        : [...module.children.allTests('skipped')].map((test) => `${file} > ${test.fullName}`);
    });
    if (others.length === 0) return;
    process.stderr.write(`\nSkipped, and tests/allowed-skips.json does not allow it here:\n${others.join('\n')}\n`);
    process.exitCode = 1;
  }
}
