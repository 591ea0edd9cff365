import type { ChildProcess } from 'node:child_process';

const running = new Set<number>();

/** Follows the first process of a group, so that the group ends with the test process, however that ends. */
export function followGroup<Child extends ChildProcess>(child: Child): Child {
  if (child.pid !== undefined) running.add(child.pid);
  return child;
}

/** Kills a followed process, and the rest of its group after its own end. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || !running.delete(pid)) return;
  kill(pid);
}

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing is left of the group.
  }
}

process.once('exit', () => {
  for (const group of running) kill(group);
});
