import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const listening = '0A';

/** The TCP ports that a process listens on; empty without `/proc`. */
export function listeningPorts(pid: number): number[] {
  try {
    const sockets = new Set(
      readdirSync(`/proc/${pid}/fd`).flatMap(
        (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
      ),
    );
    const rows = ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
    );
    const ports = rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
      return state === listening && sockets.has(inode)
        ? [Number.parseInt(local.slice(local.indexOf(':') + 1), 16)]
        : [];
    });
    return [...new Set(ports)];
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
