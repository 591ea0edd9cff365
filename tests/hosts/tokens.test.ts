import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { bearer, startClosed } from '../tokens.ts';
import { verifies } from '../verifies.ts';

verifies(
  'token:known-to-all-hosts',
  'a token made or revoked through one host counts on the other by itself',
  async () => {
    const store = await cloneDatabase();
    const host = (HostName: string) =>
      startClosed({ clock: systemClock, settings: { Store: store, HostName, LicenceGate: 'off' } });
    await using ada = await host('ada');
    await using bob = await host('bob');
    const ci = await ada.named('ci', ['read']);
    const status = async (port: 'call' | 'console', path: string) =>
      (await bob[port]('GET', path, undefined, bearer(ci.token))).status;
    await expect.poll(() => status('call', '/api/plans')).toBe(200);
    expect(await status('console', '/api/runs')).toBe(200);
    const stream = await fetch(`${bob.url}/api/messages`, {
      headers: { ...bearer(ci.token), accept: 'text/event-stream' },
    });
    expect(stream.status).toBe(200);
    expect((await ada.operator.call('DELETE', '/api/tokens/ci')).status).toBe(204);
    await expect.poll(() => status('call', '/api/plans')).toBe(401);
    expect(await status('console', '/api/runs')).toBe(401);
    await stream.text().catch(() => undefined);
  },
);
