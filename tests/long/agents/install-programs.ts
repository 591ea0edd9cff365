import { cacheFolder, install } from './install.ts';
import { programs } from './programs.ts';

/** Installs the real agent programs into a cache outside the repository; at the end it lists those that could not be installed. */
export function setup(): () => void {
  process.stdout.write(`Programs in ${cacheFolder()}\n`);
  const found = programs.map((program) => {
    const result = install(program);
    const line =
      'why' in result
        ? `NOT INSTALLED, its scenes are skipped: ${result.why}`
        : `${result.version}${result.stale === undefined ? '' : ` (of an earlier run; ${result.stale})`}`;
    process.stdout.write(`  ${program.name.padEnd(20)} ${line}\n`);
    return result;
  });
  process.env.SIGNALBOX_AGENT_PROGRAMS = JSON.stringify(found.filter((one) => !('why' in one)));
  return () => {
    for (const one of found) if ('why' in one) process.stdout.write(`SKIPPED ${one.id}: ${one.why}\n`);
  };
}
