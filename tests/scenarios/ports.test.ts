import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { signalbox, startedProcess } from '../spawn.ts';
import { caller, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const onFamily = (url: string, family: string) => `${family}:${new URL(url).port}`;

verifies(
  [
    'listen:both-loopback-families',
    'listen:port-zero',
    'open:ping-and-health',
    'open:health-shape',
    'listen:coordination-carries',
  ],
  'one process answers on both ports and on both loopback families, on one free port each',
  async () => {
    await using service = await startedProcess();
    for (const url of [service.url, service.consoleUrl]) {
      for (const family of ['http://127.0.0.1', 'http://[::1]']) {
        const call = caller(onFamily(url, family));
        expect.soft((await call('GET', '/api/ping')).body).toEqual({ tool: 'signalbox', version: expect.any(String) });
        expect.soft((await call('GET', '/api/health')).body).toEqual({ status: 'ok', version: expect.any(String) });
      }
    }
    const call = caller(service.url);
    expect.soft((await call('GET', '/')).headers.get('content-type')).toContain('text/html');
    for (const path of ['/api/plans', '/api/agents', '/api/memory?q=x'])
      expect.soft([path, (await call('GET', path)).status]).toEqual([path, 200]);
    expect.soft((await call('GET', '/api/messages')).body.detail).toContain('This is a stream');
    expect.soft((await call('POST', '/api/mcp', {})).status).not.toBe(404);
    expect(service.out()).toMatch(
      /data\s+\S+\.signalbox \(sqlite\)\n\s+licence\s+community\n\s+agents\s+\S.*\/api\/mcp/,
    );
  },
);

verifies(
  ['listen:option-has-no-effect', 'listen:option-warning'],
  'a command-line address has no effect but one warning line',
  async () => {
    await using service = await startedProcess({}, ['--port', '9999']);
    expect(new URL(service.url).port).not.toBe('9999');
    expect(service.err()).toBe('warning: --port has no effect: set PORT in the environment instead.\n');
  },
);

verifies('listen:busy-port', 'a busy port is named with its variable, exit code 1', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await using first = signalbox(['start'], { PORT: `${port},0` });
  expect(await first.ended).toBe(1);
  expect(first.err()).toBe(
    `Port ${port} (coordination) is in use. Stop the program that uses it, or choose another port with PORT.\n`,
  );
  await using second = signalbox(['start'], { PORT: `0,${port}` });
  expect(await second.ended).toBe(1);
  expect(second.err()).toContain(
    `Port ${port} (run console) is in use. Stop the program that uses it, or choose another port with CONSOLE_PORT.`,
  );
  await new Promise((resolve) => taken.close(resolve));
});

verifies(
  ['token:required-beyond-loopback', 'listen:refusal-names-variable'],
  'beyond loopback without a token it refuses and says how to go on',
  async () => {
    await using open = signalbox(['start'], { HOST: '0.0.0.0', PORT: '0,0' });
    expect(await open.ended).toBe(1);
    expect(open.err()).toMatch(
      /^HOST=0\.0\.0\.0 accepts connections from other machines, but no token is set\. Set Service__Token .*\n$/,
    );
    await using foreign = signalbox(['start'], {
      HOST: '192.0.2.1',
      PORT: '0,0',
      Service__Token: 'a-secret-of-this-test',
    });
    expect(await foreign.ended).toBe(1);
    expect(foreign.err()).toContain('HOST=192.0.2.1 is not an address of this machine');
    await using closed = await startedProcess({ HOST: '0.0.0.0', Service__Token: 'a-secret-of-this-test' });
    expect((await caller(closed.url)('GET', '/api/plans')).status).toBe(401);
  },
);

verifies(
  'listen:one-process-per-data-path',
  'a second process on a data path refuses and names the first',
  async () => {
    await using first = await startedProcess();
    await using second = signalbox(['start'], { PORT: '0,0' }, first.home);
    expect(await second.ended).toBe(1);
    expect(second.err()).toContain(`process ${first.child.pid}`);
    await using console = signalbox(['console'], { CONSOLE_PORT: '0' }, first.home);
    expect(await console.ended).toBe(1);
    expect(console.err()).toContain(`process ${first.child.pid}`);
  },
);

/** A request whose sender never finishes it. */
async function halfSent(url: string, path: string): Promise<AsyncDisposable> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  return { [Symbol.asyncDispose]: async () => void socket.destroy() };
}

verifies('stop:sigterm', 'SIGTERM finishes running calls and exits 0, even if one never finishes', async () => {
  await using service = await startedProcess();
  const call = caller(service.url);
  await using _one = await halfSent(service.url, '/api/plans');
  await using _other = await halfSent(service.consoleUrl, '/api/ingest');
  const writes = Array.from({ length: 50 }, (_, index) => call('POST', '/api/plans', { plan: `p${index}` }));
  await writes[0];
  service.child.kill('SIGTERM');
  const answered = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled').length;
  expect(await service.ended).toBe(0);
  await using again = await startedProcess({}, [], service.home);
  expect((await caller(again.url)('GET', '/api/plans')).body.length).toBeGreaterThanOrEqual(answered);
});

verifies(
  ['standalone:runs-alone', 'standalone:no-mcp', 'mcp:endpoint'],
  'the standalone console serves its one port and no MCP',
  async () => {
    await using service = signalbox(['console'], { CONSOLE_PORT: '0' });
    const [, url = ''] = await service.says(/run console\s+(\S+)\n/);
    const call = caller(url);
    expect((await call('GET', '/api/ping')).status).toBe(200);
    expect((await call('POST', '/api/mcp', {})).status).toBe(404);
    await using whole = await start();
    expect((await whole.console('POST', '/api/mcp', {})).status).toBe(404);
  },
);

verifies(
  'open:docs-want-token',
  'the reference is there for programs and for people, and wants the token',
  async () => {
    await using service = await start();
    for (const call of [service.call, service.console]) {
      const openapi = await call('GET', '/api/openapi.json');
      expect(openapi.body.openapi).toBe('3.1.0');
      expect(Object.keys(openapi.body.paths)).toContain('/api/ping');
      const page = await call('GET', '/api/docs');
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.text).toContain('plan_not_found');
    }
    await using whole = await start({ settings: { GitHubWebhookSecret: 'x' } });
    for (const [port, call] of [
      ['coordination', whole.call],
      ['console', whole.console],
    ] as const) {
      const file = join(import.meta.dirname, '..', '..', 'docs', 'reference', `openapi.${port}.json`);
      expect((await call('GET', '/api/openapi.json')).body, port).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    }
    await using closed = await start({ settings: { Token: 'a-secret-of-this-test' } });
    for (const path of ['/api/openapi.json', '/api/docs', '/metrics'])
      expect.soft((await closed.call('GET', path)).status, path).toBe(401);
  },
);
