import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** The fields that the shim reads and writes: `struct control` of `shim.c`, in its order. */
export const kinds = { EIO: 1, ENOSPC: 2, short: 3, cut: 4 } as const;
export const calls = { write: 1, sync: 2, rename: 4, truncate: 8, unlink: 16 } as const;
export const everyCall = 31;

export type Order = { kind: keyof typeof kinds; mask: number; at: number; sticky?: boolean };
export type Control = { arm(order: Order): void; disarm(): { seen: number; fired: number } };

/** The file that this process and the shim share. */
export function openControl(path = process.env.FAULT_CONTROL ?? ''): Control {
  const fd = openSync(path, 'r+');
  process.once('exit', () => closeSync(fd));
  const put = (values: readonly number[]) => void writeSync(fd, new Int32Array(values), 0, values.length * 4, 0);
  return {
    arm({ kind, mask, at, sticky = false }) {
      put([0, kinds[kind], mask, at, 0, sticky ? 1 : 0, 0]);
      put([1]);
    },
    disarm() {
      put([0]);
      const now = new Int32Array(7);
      readSync(fd, now, 0, 28, 0);
      return { seen: now[4] ?? 0, fired: now[6] ?? 0 };
    },
  };
}
