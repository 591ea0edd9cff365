import { readFileSync } from 'node:fs';

type Env = Readonly<Record<string, string | undefined>>;

export const isWsl = ({ WSL_DISTRO_NAME, WSL_INTEROP }: Env): boolean => Boolean(WSL_DISTRO_NAME || WSL_INTEROP);

/** The address of Windows from inside WSL: its default gateway. Null if both share one network. */
export function windowsSide(env: Env, routes = readRoutes()): string | null {
  if (!isWsl(env)) return null;
  for (const line of routes.split('\n')) {
    const [, destination, gateway = ''] = line.trim().split(/\s+/);
    if (destination === '00000000' && /^[0-9A-F]{8}$/i.test(gateway)) return dotted(gateway);
  }
  return null;
}

/** `0101A8C0` is 192.168.1.1: the kernel prints the bytes in their order in memory. */
const dotted = (hex: string): string => [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.');

function readRoutes(): string {
  try {
    return readFileSync('/proc/net/route', 'utf8');
  } catch {
    return '';
  }
}
