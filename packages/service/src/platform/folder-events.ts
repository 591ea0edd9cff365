import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Linux's type numbers of file systems that other machines may change without an event here. */
const remote = new Map<number, string>([
  [0x01021997, '9p'],
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xfe534d42, 'smb'],
  [0xff534d42, 'smb'],
  [0x65735546, 'fuse'],
  [0x00c36400, 'ceph'],
]);

/** The kind of file system under a path if its changes do not reach a watch; null if they do. */
export function silentFileSystem(path: string, statfs: (path: string) => { type: number } = statfsSync): string | null {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return remote.get(Number(statfs(folder).type) >>> 0) ?? null;
    } catch {
      if (folder === dirname(folder)) return null;
    }
  }
}
