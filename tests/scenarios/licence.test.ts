import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { expect, test } from 'vitest';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
const own: JWK = { ...(await exportJWK(publicKey)), alg: 'EdDSA' };
const startsAt = Date.UTC(2026, 0, 1, 9) / 1000;

const licence = (claims: object) =>
  new CompactSign(new TextEncoder().encode(JSON.stringify({ sub: 'acme', edition: 'team', iat: startsAt, ...claims })))
    .setProtectedHeader({ alg: 'EdDSA' })
    .sign(privateKey);

const withKey = (text: string, more: Record<string, string> = {}) =>
  start({ settings: { Licence: text, LicencePublicKey: JSON.stringify(own), ...more } });

async function overMcp({ url }: Started, name: string, args: Record<string, unknown> = {}) {
  const client = await newMcpClient(url);
  const result = (await client.callTool({ name, arguments: args })) as {
    isError?: boolean;
    structuredContent: Record<string, unknown>;
  };
  await client.close();
  return result;
}

const workLoop = [
  ['GET', '/api/plans/ready'],
  ['POST', '/api/plans/ready/claim'],
  ['POST', '/api/plans/p/nodes/n/claim'],
  ['POST', '/api/plans/p/nodes/n/report'],
  ['POST', '/api/plans/p/nodes/n/release'],
] as const;

verifies(
  [
    'licence:work-loop-gated',
    'licence:missing-code',
    'licence:invalid-code',
    'licence:expired-code',
    'licence:envelope',
    'licence:same-envelope',
    'licence:none-means-none',
    'licence:jws-verified-offline',
    'checks:licence-before-shape',
  ],
  'a licence that is missing, of a stranger or expired answers 402 with its own code, the same envelope on both doors',
  async () => {
    const cases = [
      [
        'none',
        { LicencePublicKey: JSON.stringify(own) },
        'licence_required',
        { state: 'missing', edition: null, expiresAt: null },
      ],
      [await licence({}), {}, 'licence_invalid', { state: 'invalid', edition: null, expiresAt: null }],
      [
        await licence({ exp: startsAt - 1 }),
        { LicencePublicKey: JSON.stringify(own) },
        'licence_expired',
        { state: 'expired', edition: 'team', expiresAt: '2026-01-01T08:59:59.000Z' },
      ],
    ] as const;
    for (const [text, more, code, state] of cases) {
      await using service = await start({ settings: { Licence: text, ...more } });
      for (const [method, path] of workLoop) {
        const answer = await service.call(method, path, method === 'GET' ? undefined : {});
        expect
          .soft([answer.status, answer.body.code, answer.body.licence], `${code} ${path}`)
          .toEqual([402, code, state]);
      }
      expect.soft((await service.call('POST', '/api/plans/p/nodes/n/claim', '{no json')).status).toBe(402);
      const rest = await service.call('GET', '/api/plans/ready');
      const mcp = await overMcp(service, 'next_ready_nodes');
      const { untrusted, ...told } = mcp.structuredContent as Record<string, unknown>;
      expect.soft([mcp.isError, told]).toEqual([true, rest.body]);
      expect.soft(untrusted).toEqual(['detail', 'licence']);
    }
  },
);

verifies(
  [
    'licence:public-key',
    'licence:value-or-path',
    'licence:without-exp-never-expires',
    'licence:state-endpoint',
    'licence:community-by-default',
  ],
  'an own licence works by value and by path until it expires; without any the community licence serves',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-licence-'));
    writeFileSync(join(folder, 'licence'), `${await licence({})}\n`);
    writeFileSync(join(folder, 'key.jwk'), JSON.stringify(own));
    await using byPath = await start({
      settings: { Licence: join(folder, 'licence'), LicencePublicKey: join(folder, 'key.jwk') },
    });
    expect((await byPath.call('GET', '/api/plans/ready')).status).toBe(200);
    expect((await byPath.call('GET', '/api/licence')).body).toEqual({
      state: 'valid',
      edition: 'team',
      expiresAt: null,
      holder: 'acme',
      gate: 'workLoop',
    });
    byPath.clock.advance(100 * 365 * 86_400_000);
    expect((await byPath.call('GET', '/api/plans/ready')).status).toBe(200);

    await using ending = await withKey(await licence({ exp: startsAt + 60 }));
    expect((await ending.call('GET', '/api/plans/ready')).status).toBe(200);
    ending.clock.advance(61_000);
    expect((await ending.call('GET', '/api/plans/ready')).body.code).toBe('licence_expired');

    await using fresh = await start();
    expect((await fresh.call('GET', '/api/licence')).body).toMatchObject({ state: 'valid', edition: 'community' });
    expect((await fresh.call('GET', '/api/plans/ready')).status).toBe(200);
  },
);

verifies(
  ['licence:reads-not-gated', 'licence:gate-default-work-loop', 'licence:mcp-listing-never-gated'],
  'by default only the work loop is gated: reads and authoring stay open',
  async () => {
    await using service = await start({ settings: { Licence: 'none' } });
    const gated = coordinationCommands.filter(({ gate }) => gate === 'workLoop').map(({ name }) => name);
    expect(gated.sort()).toEqual([
      'await_dependencies',
      'await_node',
      'claim_next',
      'claim_node',
      'next_ready_nodes',
      'release_node',
      'report_node',
      'split_node',
    ]);
    for (const name of gated)
      expect.soft((await overMcp(service, name)).structuredContent.code, name).toBe('licence_required');
    expect((await service.call('POST', '/api/plans', { plan: 'p' })).status).toBe(201);
    for (const path of [
      '/api/plans',
      '/api/plans/p',
      '/api/plans/p/status',
      '/api/agents',
      '/api/repositories',
      '/api/runs',
    ]) {
      expect.soft((await service.call('GET', path)).status, path).toBe(200);
    }
    const client = await newMcpClient(service.url);
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    await client.close();
  },
);

verifies(
  ['licence:gate-record', 'licence:gate-off', 'licence:console-never-gated'],
  'under the rule of record every tool and every mutating endpoint is gated; off gates nothing; the console never is',
  async () => {
    await using record = await start({ settings: { Licence: 'none', LicenceGate: 'record' } });
    for (const command of coordinationCommands) {
      if (command.mcp !== false)
        expect
          .soft((await overMcp(record, command.name)).structuredContent.code, command.name)
          .toBe('licence_required');
      const { rest } = command;
      if (!rest || command.effect === 'read' || command.gate === 'never' || command.gate === 'relay') continue;
      const answer = await record.call(
        rest.method,
        rest.path.replace(/\{\w+\}/g, 'x'),
        rest.method === 'DELETE' ? undefined : {},
      );
      expect.soft(answer.body.code, `${rest.method} ${rest.path}`).toBe('licence_required');
    }
    expect((await record.call('GET', '/api/plans')).status).toBe(200);
    expect((await record.call('GET', '/api/runs')).status).toBe(200);
    expect((await record.call('DELETE', '/api/runs')).status).toBe(200);
    expect((await record.console('POST', '/api/ingest', { events: [] })).status).toBe(202);
    await using off = await start({ settings: { Licence: 'none', LicenceGate: 'off' } });
    expect((await off.call('GET', '/api/plans/ready')).status).toBe(200);
  },
);

test('a path to a licence that cannot be read ends the start with what to mend', async () => {
  await expect(start({ settings: { Licence: tmpdir() } })).rejects.toThrow(/^Service:Licence is .*cannot be read/);
});
