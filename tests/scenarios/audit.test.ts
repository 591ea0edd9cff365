import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifyAudit } from '../../packages/service/src/app/audit-chain.ts';
import { AuditTrail } from '../../packages/service/src/app/audit-trail.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { noteSettings } from '../exercised.ts';
import { bearer, mcpWith, startClosed } from '../tokens.ts';
import { verifies } from '../verifies.ts';

const entryMembers = ['at', 'name', 'address', 'door', 'command', 'ref', 'outcome'];
type Entry = Record<string, string | null>;
const told = (items: readonly Entry[]) =>
  items.map(({ name, door, command, ref, outcome }) => [name, door, command, ref, outcome].join(' ')).reverse();

verifies(
  ['audit:every-write-and-denial', 'audit:read'],
  'the audit tells every write and every denial of both ports, and nothing that was written',
  async () => {
    await using service = await startClosed();
    const { operator } = service;
    const ada = await service.named('ada', ['author']);
    const ci = await service.named('ci', ['publish']);
    await ada.call('POST', '/api/plans', {
      plan: 'p',
      title: 'a title of hers',
      nodes: [{ id: 'n', binding: { kind: 'signOff' } }],
    });
    await ada.call('GET', '/api/plans');
    await ada.call('POST', '/api/plans/p/nodes/n/claim', { agent: 'bob' });
    const client = await mcpWith(service.url, ada.token);
    await client.callTool({ name: 'claim_next', arguments: {} });
    await client.callTool({ name: 'report_node', arguments: { ref: 'p/n', note: 'a note of hers' } });
    await client.close();
    await ada.console('DELETE', '/api/runs');
    await ci.console('POST', '/api/ingest', { events: [{ type: 'run_started', runId: 'r1' }] });
    await ci.console('POST', '/api/ingest', { events: [{ type: 'run_heartbeat', runId: 'r1' }] });
    await service.call('GET', '/api/plans');
    await service.console('POST', '/api/ingest', { events: [] }, bearer('a wrong one'));
    const { items, next } = (await operator.call('GET', '/api/audit')).body;
    expect(told(items)).toEqual([
      'operator rest create_token ada done',
      'operator rest create_token ci done',
      'ada rest create_plan p done',
      'ada rest claim_node p/n name_not_yours',
      'ada mcp claim_next p/n done',
      'ada mcp report_node p/n done',
      'ada rest eject_runs  scope_required',
      'ci ingest ingest r1 done',
      'anonymous rest list_plans  token_required',
      'anonymous ingest ingest  token_invalid',
    ]);
    expect(next).toBe(null);
    for (const item of items) expect(Object.keys(item)).toEqual(entryMembers);
    const denied = (await operator.call('GET', '/api/audit?denied=true&name=ada')).body.items;
    expect(told(denied)).toHaveLength(2);
    expect((await operator.call('GET', '/api/audit?command=ingest&denied=false')).body.items).toHaveLength(1);
    const file = readFileSync(join(service.dataPath, 'audit.ndjson'), 'utf8');
    for (const secret of ['title of hers', 'note of hers', ada.token, 'a wrong one'])
      expect(file).not.toContain(secret);
    expect((await ada.call('GET', '/api/audit')).body.code).toBe('scope_required');
  },
);

verifies('audit:rotated', 'the audit is put aside by size, read across its files, and kept for its days', async () => {
  noteSettings(['AuditDays']);
  const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
  const clock = createSettableClock();
  const audit = new AuditTrail({
    dataPath,
    clock,
    days: 2,
    bytesPerFile: 1500,
    warn: () => expect.fail('it warned'),
  });
  const record = (ref: string) =>
    audit.record({ name: 'ada', address: '::1', door: 'rest', command: 'claim_node', ref, outcome: 'done' });
  for (let count = 0; count < 40; count += 1) {
    clock.advance(60_000);
    record(`p/n${count}`);
  }
  const files = () => readdirSync(dataPath).filter((name) => name.startsWith('audit'));
  expect(files().length).toBeGreaterThan(2);
  const seen: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = (await audit.read({ limit: 7, cursor })) ?? expect.fail('the cursor leads nowhere');
    seen.push(...page.items.map(({ ref }) => ref));
    // Entries written between two pages do not shift the pages.
    record(`later/${seen.length}`);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  const first = Array.from({ length: 40 }, (_, count) => `p/n${39 - count}`);
  expect(seen.filter((ref) => ref?.startsWith('p/'))).toEqual(first);
  expect(await audit.read({ limit: 7, cursor: '1-1' })).toBe(undefined);
  clock.advance(3 * 86_400_000);
  await clock.tick();
  expect(files().length).toBeLessThanOrEqual(2);
  audit.stop();
  await rm(dataPath, { recursive: true });
});

verifies(
  'audit:together',
  'the lines of one turn are written together, in order, before any call goes on',
  async () => {
    const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
    const warn = () => expect.fail('it warned');
    const audit = new AuditTrail({ dataPath, clock: createSettableClock(), days: 2, warn });
    const entry = (ref: string) =>
      ({ name: 'ada', address: '::1', door: 'rest', command: 'claim_node', ref, outcome: 'done' }) as const;
    const refs = () =>
      readFileSync(join(dataPath, 'audit.ndjson'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).ref);
    const seen: string[][] = [];
    const calls = ['p/a', 'p/b', 'p/c'].map(async (ref) => {
      await audit.recordSoon(entry(ref));
      seen.push(refs());
    });
    expect(refs()).toEqual([]);
    await Promise.all(calls);
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['p/a', 'p/b', 'p/c']));
    audit.stop();
    await rm(dataPath, { recursive: true });
  },
);

verifies(
  ['audit:folded', 'audit:refs'],
  'repeated denials are one entry with a count, readable at once, and a ref is short and has no control characters',
  async () => {
    const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
    const clock = createSettableClock();
    const audit = new AuditTrail({ dataPath, clock, days: 2, warn: () => expect.fail('it warned') });
    const denied = (name: string, command: string) =>
      audit.record({ name, address: '::1', door: 'rest', command, ref: null, outcome: 'scope_required' });
    const refused = (ref: string) =>
      audit.record({
        name: 'ada',
        address: '::1',
        door: 'rest',
        command: 'claim_node',
        ref,
        outcome: 'node_not_found',
      });
    const listed = async () =>
      (await audit.read({ limit: 100 }))?.items.map(({ name, command, count }) => [name, command, count]);
    for (let count = 0; count < 1_000; count += 1) denied('ada', 'create_plan');
    denied('bob', 'create_plan');
    expect(await listed()).toEqual([
      ['bob', 'create_plan', undefined],
      ['ada', 'create_plan', 1_000],
    ]);
    // The state after a kill: the entries of this minute were not written in order.
    const killed = new AuditTrail({ dataPath, clock, days: 2, warn: () => expect.fail('it warned') });
    expect((await killed.read({ limit: 100 }))?.items.map(({ count }) => count)).toEqual([undefined, 512]);
    killed.stop();
    clock.advance(60_000);
    await clock.tick();
    expect(await listed()).toEqual([
      ['bob', 'create_plan', undefined],
      ['ada', 'create_plan', 1_000],
    ]);
    denied('ada', 'create_plan');
    expect((await listed())?.[0]).toEqual(['ada', 'create_plan', undefined]);
    for (let count = 0; count < 3; count += 1) refused('\u0007'.repeat(1_000));
    expect((await listed())?.slice(0, 3)).toEqual(Array(3).fill(['ada', 'claim_node', undefined]));
    const lines = readFileSync(join(dataPath, 'audit.ndjson'), 'utf8').split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(900);
    expect(JSON.parse(lines.at(-2) ?? '').ref).toHaveLength(256);
    audit.stop();
    await rm(dataPath, { recursive: true });
  },
);

verifies(
  ['audit:chained', 'audit:gap'],
  'every line has a hash over the one before, what was changed or removed is found, and what had to be dropped is written down',
  async () => {
    const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-audit-'));
    const clock = createSettableClock();
    const warnings: string[] = [];
    const open = () =>
      new AuditTrail({
        dataPath,
        clock,
        days: 90,
        bytesPerFile: 2_000,
        filesAtMost: 3,
        warn: (_, text) => void warnings.push(text),
      });
    const record = (audit: AuditTrail, ref: string) =>
      audit.record({ name: 'ada', address: '::1', door: 'rest', command: 'claim_node', ref, outcome: 'done' });
    let audit = open();
    for (let count = 0; count < 10; count += 1) {
      clock.advance(1_000);
      record(audit, `p/n${count}`);
    }
    audit.stop();
    audit = open();
    record(audit, 'p/after-a-restart');
    audit.stop();
    expect(await verifyAudit(dataPath)).toMatchObject({ lines: 11, unhashed: 0, torn: 0, broken: [] });
    const files = readdirSync(dataPath).map((name) => join(dataPath, name));
    const file = files.find((path) => readFileSync(path, 'utf8').includes('p/after-a-restart')) ?? '';
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace('p/after-a-restart', 'p/something-else'));
    expect((await verifyAudit(dataPath)).broken).toEqual([expect.stringContaining('does not follow')]);
    writeFileSync(file, whole.split('\n').toSpliced(2, 1).join('\n'));
    expect((await verifyAudit(dataPath)).broken).toHaveLength(1);
    writeFileSync(file, whole);
    audit = open();
    for (let count = 0; count < 60; count += 1) {
      clock.advance(1_000);
      record(audit, `q/n${count}`);
    }
    const dropped = (await audit.read({ limit: 100, command: 'audit_dropped' }))?.items ?? [];
    expect(dropped[0]).toMatchObject({ name: 'signalbox', ref: expect.stringContaining('audit-'), outcome: 'gap' });
    expect(warnings[0]).toMatch(/^the audit has more than 3 files: audit-.* was deleted before its 90 days were over/);
    expect((await verifyAudit(dataPath)).broken).toEqual([]);
    audit.stop();
    await rm(dataPath, { recursive: true });
  },
);
