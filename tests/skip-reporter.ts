import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import allowedSkips from './allowed-skips.json' with { type: 'json' };

/**
 * If `SIGNALBOX_NO_OTHER_SKIPS` is set, a skipped test in a file that `allowed-skips.json` does not list for this
 * system fails the run: nothing is skipped silently.
 */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    tellWithoutBrowser(modules);
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

/** The last line of the output: a run without a browser proves less than it seems to. */
function tellWithoutBrowser(modules: readonly TestModule[]): void {
  const reason = process.env.SIGNALBOX_NO_BROWSER;
  if (!reason) return;
  const left = modules
    .filter(({ moduleId }) => moduleId.replaceAll('\\', '/').includes('/tests/browser/'))
    .flatMap((module) => [...module.children.allTests('skipped')]).length;
  process.once('exit', () => process.stderr.write(`\n${left} browser tests were left out: ${reason}.\n`));
}
