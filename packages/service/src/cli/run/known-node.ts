import { routes } from '../../browser/routes.ts';
import { CallFailed, type ConsoleClient, createClient, exitCodes } from '../client.ts';

const timeoutMs = 2_000;

/**
 * Refuses an unknown node before anything runs. Asks the coordination service beside the console; if it cannot be asked
 * (console only, unreachable, a token without `read`), the test run continues.
 */
export async function refuseUnknownNode(console: ConsoleClient, ref: string): Promise<void> {
  const [plan = '', node = '', ...more] = ref.split('/');
  if (plan === '' || node === '' || more.length > 0)
    throw new CallFailed(
      `--node ${ref} is not a node reference. Write it as plan/node, such as release/tests.`,
      exitCodes.usage,
    );
  const url = await serviceBeside(console);
  if (url === null) return;
  try {
    await createClient(url).call('node_status', { plan, node }, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (fault) {
    if (fault instanceof CallFailed && fault.status === 404)
      throw new CallFailed(
        `--node ${ref} does not exist, so nothing was run. ${fault.message}`,
        exitCodes.refused,
        404,
      );
  }
}

/** The console knows the port of its service; the host is the console's own. */
async function serviceBeside({ url, send }: ConsoleClient): Promise<string | null> {
  try {
    const request = { method: 'GET', path: routes.me.path, body: undefined, mediaType: '' };
    const response = await send(request, { signal: AbortSignal.timeout(timeoutMs) });
    const me: unknown = response.ok ? JSON.parse(await response.text()) : null;
    const told = typeof me === 'object' && me !== null && 'serviceUrl' in me ? me.serviceUrl : null;
    if (typeof told !== 'string') return null;
    const service = new URL(told);
    service.hostname = new URL(url).hostname;
    return service.origin;
  } catch {
    return null;
  }
}
