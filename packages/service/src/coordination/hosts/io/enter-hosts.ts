import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { keepHost } from '../../../files/host-file.ts';
import { errorCode } from '../../../kernel/error-code.ts';
import { awayAfterMs, type HostConflict, type HostRegistration, type HostTable } from '../../../kernel/host-table.ts';
import { platform } from '../../../platform/platform.ts';

/** The name or the data path belongs to a live host. The message includes the next step. */
export class HostRefused extends Error {}

/** A live host sends a heartbeat every five seconds. */
const heartbeatWaitMs = 6_000;
const lookMs = 250;

/** Claims this host's name. A name or data path of a live host is refused before anything is served. */
export async function enterHosts(
  table: HostTable,
  { hostName: name, dataPath }: { hostName: string; dataPath: string },
  waitMs = heartbeatWaitMs,
): Promise<HostRegistration> {
  const { pid } = process;
  const place = `process ${pid} on ${hostname()}`;
  const me = { name, life: randomUUID(), home: keepHost(dataPath, name), place, machine: thisMachine(), pid };
  let conflict = await table.enter(me);
  if (conflict?.sameHome && (await isDead(table, me, conflict, waitMs)))
    conflict = await table.enter(me, conflict.life);
  if (conflict) throw new HostRefused(conflict.sameHome ? copied(dataPath, conflict) : nameTaken(name, conflict));
  return me;
}

/** On this machine the process is checked directly; for other machines we wait for a heartbeat. */
async function isDead(table: HostTable, me: HostRegistration, before: HostConflict, waitMs: number): Promise<boolean> {
  if (before.machine === me.machine && !isProcessAlive(before.pid)) return true;
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += lookMs) {
    await pause(Math.min(lookMs, waitMs));
    const now = await table.enter(me);
    if (now === null) return true;
    if (now.life !== before.life || now.heardAt !== before.heardAt) return false;
  }
  return true;
}

const nameTaken = (name: string, { takenBy, silentMs }: HostConflict): string => {
  const seconds = Math.max(1, Math.ceil((awayAfterMs - silentMs) / 1000));
  return `The host name ${name} is in use: ${takenBy}. Choose another Service:HostName, or stop that host; if it has crashed, its name is free in ${seconds} s.`;
};

const copied = (dataPath: string, { takenBy }: HostConflict): string =>
  `The data path ${dataPath} is a copy of one that a live host uses: ${takenBy}. Stop that host; or, to run both, remove host.json from the copy and choose another Service:HostName.`;

/** Equal for two processes that can see each other: the boot of the machine, and the container on it. */
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
