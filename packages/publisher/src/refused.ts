import { readSettings } from './environment.ts';
import { guarded } from './guard.ts';

/**
 * Whether a runner is too old to publish. If so, nothing is published, one line on standard error gives the reason, and the run continues.
 * Prints nothing if publishing is off.
 */
export function isRefused(runner: string, version: string | undefined, oldest: number): boolean {
  const major = Number.parseInt(version ?? '', 10);
  if (!(major < oldest)) return false;
  const line = `signalbox-publisher needs ${runner} ${oldest} or later, and this is ${version}; nothing is published.\n`;
  if (guarded(() => readSettings(process.env), null)) guarded(() => process.stderr.write(line), true);
  return true;
}
