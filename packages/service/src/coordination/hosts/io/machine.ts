import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../../../kernel/error-code.ts';
import { platform } from '../../../platform/platform.ts';

/** What is the same for two processes that can see each other: the boot of the machine, and the container on it. */
export function thisMachine(): string {
  return [platform.bootId() ?? hostname(), namespace()].filter(Boolean).join(' ');
}

const namespace = (): string => readable(() => readlinkSync('/proc/self/ns/pid'));

function readable(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Whether a process exists on this machine, also one of another user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (fault) {
    return errorCode(fault) === 'EPERM';
  }
}
