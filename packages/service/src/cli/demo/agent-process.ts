import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Waits until its parent process is gone, so that a demo that was killed leaves no process behind. */
const waiting = 'process.stdin.resume(); process.stdin.on("end", () => process.exit());\n';
const holding = 'require("node:fs").openSync(process.argv[2], "a");\n';

/** A harmless process whose script name looks like an agent's program. */
export function startAgentProcess(folder: string, name: string, cwd: string, holds?: string): ChildProcess {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const script = join(folder, 'bin', name);
  writeFileSync(script, (holds === undefined ? '' : holding) + waiting);
  return spawn(process.execPath, [script, ...(holds === undefined ? [] : [holds])], {
    cwd,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
