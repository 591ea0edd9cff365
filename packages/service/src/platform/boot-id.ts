import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID that the kernel creates at each boot; null if the text is not one. */
export function bootIdIn(text: string | null): string | null {
  const id = text?.trim() ?? '';
  return uuid.test(id) ? id.toLowerCase() : null;
}

export const procBootId = (): string | null =>
  bootIdIn(readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')));

/** `sysctl` of macOS. */
export const sysctlBootId = (): string | null =>
  bootIdIn(
    readOr(() =>
      execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], {
        encoding: 'utf8',
        timeout: 2_000,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ),
  );

function readOr(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
