import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { createPlanFiles } from '../../packages/service/src/coordination/plans/io/plan-files.ts';
import { createPlanTexts } from '../../packages/service/src/coordination/plans/io/plan-texts.ts';
import { type RescanResult, rescanPlans } from '../../packages/service/src/coordination/plans/rescan.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { withClient } from '../postgres/dump.ts';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

async function furnished(files: Record<string, string>) {
  const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
  const plans = join(home, 'plans');
  await mkdir(plans);
  for (const [name, text] of Object.entries(files)) await writeFile(join(plans, name), text);
  return { home, plans };
}

const shop =
  'plan: shop\ntitle: Shop\nnodes:\n  - id: lexer\n  - id: parser\n    dependsOn: [lexer]\n    estimateMinutes: 90\n';

verifies(
  [
    'import:at-start-by-service',
    'plans:source',
    'rescan:answer',
    'rescan:imports-directory',
    'rescan:bad-file-alone-fails',
    'import:no-change-no-event',
  ],
  'the directory of plans is taken up at start and on rescan; a broken file never hides the others',
  async () => {
    const { home, plans } = await furnished({
      'a-broken.yaml': 'plan: broken\nnodes:\n  - idd: x\n',
      'b-shop.yaml': shop,
      'c-twin.yaml': 'plan: Shop\n',
      'd-other.json': '{ "plan": "other", "nodes": [] }',
      'notes.txt': 'not a plan',
    });
    await symlink('/etc/hostname', join(plans, 'e-out.yaml'));
    await using service = await start({ home, settings: { PlansPath: plans } });
    const listed = (await service.call('GET', '/api/plans')).body;
    expect(listed.map(({ slug, source }: Record<string, string>) => `${slug} ${source}`).sort()).toEqual([
      'other file',
      'shop file',
    ]);
    const { body: story } = await service.call('GET', '/api/plans/shop/history');
    expect(story).toMatchObject([{ type: 'plan_created', by: 'service' }]);

    const { status, body } = await service.call('POST', '/api/plans/rescan?by=ada');
    expect(status).toBe(200);
    expect(
      body.imported.map(({ slug, unchanged }: { slug: string; unchanged: string[] }) => [slug, unchanged]),
    ).toEqual([
      ['shop', ['lexer', 'parser']],
      ['other', []],
    ]);
    expect(body.failed).toEqual([
      {
        file: 'a-broken.yaml',
        errors: [
          { path: 'nodes[0].id', message: 'is required', line: 3, column: 5 },
          { path: 'nodes[0].idd', message: 'unknown member; did you mean id?', line: 3, column: 5 },
        ],
      },
      {
        file: 'c-twin.yaml',
        errors: [{ path: 'plan', message: 'Shop is already the plan of b-shop.yaml', line: 1, column: 1 }],
      },
      { file: 'e-out.yaml', errors: [{ path: '', message: 'is a link out of the directory' }] },
    ]);
    expect((await service.call('GET', '/api/plans/shop/history')).body).toHaveLength(1);
  },
);

verifies(
  [
    'import:seed-removes-nothing',
    'import:seed-names-kept',
    'import:seed-keeps-members',
    'import:seed-unites-dependencies',
    'import:directory-never-restores',
    'import:put-restores',
    'import:restored-200',
  ],
  'a stale file over work authored by API: nothing vanishes and the report names every kept node',
  async () => {
    const { home, plans } = await furnished({ 'shop.yaml': shop });
    await using service = await start({ home, settings: { PlansPath: plans } });
    await service.call('POST', '/api/plans/shop/nodes', { id: 'totals', dependsOn: ['parser'] });
    await service.call('POST', '/api/plans/shop/nodes', { id: 'docs' });
    await service.call('POST', '/api/plans/shop/nodes/lexer/bind', { kind: 'issue', issue: 'acme/shop#1' });
    await service.call('POST', '/api/plans/shop/nodes/parser/depends-on', { dependsOn: 'docs' });
    const before = (await service.call('GET', '/api/plans/shop')).body;
    await writeFile(join(plans, 'shop.yaml'), shop.replace('estimateMinutes: 90', 'estimateMinutes: 30'));
    const { imported } = (await service.call('POST', '/api/plans/rescan')).body;
    expect(imported[0]).toMatchObject({
      mode: 'seed',
      removed: [],
      kept: ['totals', 'docs'],
      changed: [{ id: 'parser', fields: ['estimateMinutes'] }],
      unchanged: ['lexer'],
      dependenciesRemoved: [],
    });
    const after = (await service.call('GET', '/api/plans/shop')).body;
    expect(after.edges).toEqual(before.edges);
    expect(after.nodes[0]).toEqual(before.nodes[0]);

    await service.call('DELETE', '/api/plans/shop');
    const again = (await service.call('POST', '/api/plans/rescan')).body.imported;
    expect(again[0]).toMatchObject({ slug: 'shop', skipped: 'archived', created: false, kept: [], added: [] });
    expect((await service.call('GET', '/api/plans/shop')).body.archived).toBe(true);
    const restored = await service.call('PUT', '/api/plans/shop?mode=seed', {});
    expect([restored.status, restored.body.created]).toEqual([200, false]);
    expect((await service.call('GET', '/api/plans/shop')).body.archived).toBe(false);
  },
);

verifies(
  'idempotency:same-key-same-answer',
  'a rescan of several files under a key is answered again as a whole, and takes up nothing the second time',
  async () => {
    const { home, plans } = await furnished({ 'a.yaml': 'plan: a\n', 'b.yaml': 'plan: b\n', 'c.yaml': 'plan: [\n' });
    await using service = await start({ home, settings: { PlansPath: plans } });
    const rescan = () => service.call('POST', '/api/plans/rescan', undefined, { 'idempotency-key': 'k' });
    const first = await rescan();
    expect(first.body.imported).toHaveLength(2);
    await writeFile(join(plans, 'd.yaml'), 'plan: d\n');
    expect((await rescan()).body).toEqual(first.body);
    expect((await service.call('GET', '/api/plans/d')).status).toBe(404);
  },
);

test('a long file is read elsewhere: others are answered meanwhile', async () => {
  const nodes = Array.from({ length: 2000 }, (_, node) => `  - id: n${node}\n    title: Node ${node}\n`).join('');
  const { plans } = await furnished({
    'a.yaml': `plan: long\nnodes:\n${nodes}`,
    'b.yaml': `plan: bad\nnodes:\n${nodes}  - id: last\n    dependsOn: [nowhere]\n`,
    'c.yaml': 'plan: LONG\n',
  });
  const { ctx } = await openInMemoryWork();
  let rescanned: RescanResult | undefined;
  const rescanning = rescanPlans(
    { ...ctx, texts: createPlanTexts({ ms: () => 600_000 }) },
    createPlanFiles(plans),
    'ada',
  ).then((told) => {
    rescanned = told as RescanResult;
  });
  let turns = 0;
  for (; !rescanned; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  await rescanning;
  expect(rescanned.imported.map(({ slug, added }) => [slug, added.length])).toEqual([['long', 2000]]);
  expect(rescanned.failed).toMatchObject([
    { file: 'b.yaml', errors: [{ path: 'nodes[2000].dependsOn[0]', line: 4004, column: 17 }] },
    { file: 'c.yaml', errors: [{ path: 'plan', line: 1, column: 1 }] },
  ]);
  expect(turns).toBeGreaterThan(300);
});

verifies(
  'hosts:database-away-writes-503',
  'a rescan that the store cannot take is refused, not told as the fault of its files',
  async () => {
    const { plans } = await furnished({ 'a.yaml': 'plan: a\n' });
    const { ctx, log, refusal } = await openInMemoryWork({ files: createPlanFiles(plans) });
    expect(ctx.files?.path).toBe(plans);
    await log.close();
    expect(await refusal('rescan_plans', {})).toBe('store_unavailable');
  },
);

verifies('rescan:path-not-set-400', 'a rescan without a directory names the key to set', async () => {
  await using service = await start();
  const { body } = await service.call('POST', '/api/plans/rescan');
  expect(body).toMatchObject({
    status: 400,
    code: 'plans_path_not_set',
    detail: expect.stringContaining('Service:PlansPath'),
  });
});

verifies(
  [
    'import:creates-or-changes',
    'import:created-201',
    'import:existing-200',
    'import:slug-optional',
    'import:report-members',
    'import:report-itemized',
    'import:dry-run',
    'import:full-is-default',
    'import:mode-seed',
    'import:full-removes',
    'import:full-clears',
    'import:full-claimed-409',
    'import:full-force',
    'import:full-references-missing',
    'document:yaml-and-json',
    'body:import-takes-yaml',
    'document:export',
    'document:round-trip',
  ],
  'an import makes the plan what the document says, and tells what it changed',
  async () => {
    await using service = await start();
    const yaml = { 'content-type': 'application/yaml' };
    const dry = await service.call('PUT', '/api/plans/shop?dryRun=true', shop, yaml);
    expect([dry.status, dry.body.created, dry.body.version]).toEqual([200, true, 0]);
    expect((await service.call('GET', '/api/plans')).body).toEqual([]);
    const created = await service.call('PUT', '/api/plans/shop?by=ada', shop, yaml);
    expect([created.status, created.body.created]).toEqual([201, true]);
    await service.call('POST', '/api/plans', { plan: 'other', nodes: [{ id: 'x', dependsOn: ['shop/lexer'] }] });
    await service.call('POST', '/api/plans/shop/nodes/lexer/claim', { agent: 'ada' });
    const next = { nodes: [{ id: 'parser', dependsOn: ['totals'] }, { id: 'totals' }] };
    const held = await service.call('PUT', '/api/plans/shop', next);
    expect(held.body).toMatchObject({ status: 409, code: 'node_claimed', heldBy: 'ada' });
    const forced = await service.call('PUT', '/api/plans/shop?force=true', next);
    expect([forced.status, forced.body]).toEqual([
      200,
      {
        slug: 'shop',
        created: false,
        dryRun: false,
        mode: 'full',
        skipped: null,
        added: ['totals'],
        changed: [{ id: 'parser', fields: ['estimateMinutes', 'dependsOn'] }],
        removed: ['lexer'],
        kept: [],
        unchanged: [],
        dependenciesAdded: [{ node: 'parser', on: 'totals' }],
        dependenciesRemoved: [{ node: 'parser', on: 'lexer' }],
        version: 7,
      },
    ]);
    expect((await service.call('GET', '/api/plans/shop')).body.title).toBe('shop');
    expect((await service.call('GET', '/api/plans/other/status')).body.nodes[0].dependsOn).toMatchObject([
      { missing: true },
    ]);

    const exported = await service.call('GET', '/api/plans/shop/document');
    expect(exported.headers.get('content-type')).toContain('application/yaml');
    const same = await service.call('PUT', '/api/plans/shop', exported.text, yaml);
    expect(same.body).toMatchObject({
      added: [],
      changed: [],
      removed: [],
      version: 7,
      unchanged: ['parser', 'totals'],
    });
  },
);

verifies(
  ['body:import-takes-yaml'],
  'a long text is read and told its faults as a short one is, through both doors',
  async () => {
    await using service = await start();
    const client = await newMcpClient(service.url);
    const long = `# ${'x'.repeat(100)}\n`.repeat(600);
    const faultsOf = async (text: string) => {
      const rest = await service.call('PUT', '/api/plans/shop', text, { 'content-type': 'application/yaml' });
      const ask = { name: 'import_plan', arguments: { plan: 'shop', document: text } };
      const { structuredContent } = (await client.callTool(ask)) as { structuredContent: { errors: object[] } };
      return [rest.status, rest.body.errors, structuredContent.errors];
    };
    const faulty = 'nodes:\n  - idd: lexer\n    estimateMinutes: soon\n';
    const short = await faultsOf(faulty);
    expect(short).toMatchObject([400, { length: 3 }, { length: 3 }]);
    expect(await faultsOf(faulty + long)).toEqual(short);
    expect(await faultsOf(`nodes: [\n${long}`)).toMatchObject([400, [{ path: '' }], [{ path: '' }]]);
    const made = await service.call('PUT', '/api/plans/shop', shop + long, { 'content-type': 'application/yaml' });
    expect([made.status, made.body.added]).toEqual([201, ['lexer', 'parser']]);
    await client.close();
  },
);

test('plan files are imported once the store accepts writes, if it did not at the start', async () => {
  const { home, plans } = await furnished({ 'shop.yaml': shop });
  const Store = await cloneDatabase();
  await withClient(Store, (client) =>
    client.query(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON signalbox.events EXECUTE FUNCTION full_disk()`),
  );
  await using service = await start({ home, clock: systemClock, settings: { PlansPath: plans, Store } });
  expect(service.logged()).toContain('cannot import the plan files');
  expect((await service.call('GET', '/api/plans')).body).toEqual([]);
  await withClient(Store, (client) => client.query('DROP TRIGGER full_disk ON signalbox.events'));
  const listed = async () => (await service.call('GET', '/api/plans')).body;
  await expect.poll(listed).toMatchObject([{ slug: 'shop', source: 'file' }]);
});
