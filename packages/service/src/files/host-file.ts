import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSmallJson } from './plain-file.ts';

type HostFile = { id: string; name?: string };

const fileIn = (dataPath: string): string => join(dataPath, 'host.json');

/** Undefined if the file is missing or unreadable. A new id is then made, and the host waits at most half a minute. */
function read(dataPath: string): HostFile | undefined {
  try {
    const { id, name }: { id?: unknown; name?: unknown } = Object(readSmallJson(fileIn(dataPath)));
    if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return undefined;
    return typeof name === 'string' && name !== '' ? { id, name } : { id };
  } catch {
    return undefined;
  }
}

/**
 * The previous name of this data path. A machine's name may change with its network; if the host took the new name, its
 * sessions and claims would stay with the old one, which would never return.
 */
export const hostNameIn = (dataPath: string): string | undefined => read(dataPath)?.name;

/**
 * The identity of this data path. Only one process at a time uses a data path, so an earlier host with this id has
 * ended, however recent its last heartbeat. The name is stored for the next start.
 */
export function keepHost(dataPath: string, name: string): string {
  const before = read(dataPath);
  const id = before?.id ?? randomUUID();
  if (before?.name !== name) {
    const file = fileIn(dataPath);
    writeFileSync(`${file}.new`, `${JSON.stringify({ id, name } satisfies HostFile)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return id;
}
