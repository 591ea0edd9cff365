import { consoleRoutes } from '../browser/routes.ts';
import { platform } from '../platform/platform.ts';

const askMs = 1_000;

/** The message for an unreachable service: its address, what to do, and on WSL whether one answers on the other side. */
export async function nothingAnswers(
  root: string,
  variable: string,
  { otherSide, whereUnreachable }: Pick<typeof platform, 'otherSide' | 'whereUnreachable'> = platform,
): Promise<string> {
  const plain = `No service answers at ${root}. Start it with "signalbox start", or set its address with --url or ${variable}.`;
  const url = URL.parse(root);
  if (url === null || !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)) return plain;
  const address = otherSide();
  if (address === null) return whereUnreachable === null ? plain : `${plain} ${whereUnreachable}`;
  url.hostname = address;
  const there = url.origin;
  return (await isService(there))
    ? `No service answers at ${root}, but one answers across the WSL boundary: use --url ${there}, or ${variable}=${there}.`
    : `${plain} None answers across the WSL boundary at ${there} either.`;
}

async function isService(origin: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${origin}${consoleRoutes.ping.path}`, { signal: AbortSignal.timeout(askMs) });
    return ok;
  } catch {
    return false;
  }
}
