import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect } from 'vitest';
import { inBrowser, openPage, serve } from '../browser/browser.ts';
import { addPrograms, commandOf, typeIn } from '../guide-commands.ts';
import { startedProcess } from '../spawn.ts';
import { caller } from '../start.ts';
import { verifies } from '../verifies.ts';

const root = join(import.meta.dirname, '..', '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
let folder: string;
let installed: string;

/** The files as `npm install` of the tarball leaves them. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-packed-'));
  installed = join(folder, 'node_modules', 'signalbox-client');
  mkdirSync(installed, { recursive: true });
  const options = { cwd: join(root, 'packages', 'client'), encoding: 'utf8' as const };
  execFileSync(process.execPath, [join(root, 'scripts', 'build-client.ts')], options);
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], options);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = `
import { connect, Refused } from 'signalbox-client';
const box = connect({ url: process.env.BOX });
const refused = await box.call('get_plan', { plan: 'nowhere' }).catch((error) => error instanceof Refused && error.code);
await box.call('create_plan', { document: { plan: 'shop', nodes: [{ id: 'a', binding: { kind: 'signOff' } }] } });
const taken = [];
const worker = box.work({ agent: 'ada', onIdle: () => worker.stop() }, ({ node }) => void taken.push(node.ref));
await worker.done;
box.close();
console.log(JSON.stringify({ refused, taken }));
`;

verifies(
  ['client:packed', 'client:size'],
  'the packed client has no dependency, is small, is typed, and works where it is installed',
  async () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    expect(gzipSync(readFileSync(join(installed, 'dist', 'index.js'))).length).toBeLessThan(10 * 1024);

    await using service = await startedProcess();
    writeFileSync(join(folder, 'program.mjs'), program);
    const env = { ...process.env, BOX: service.url };
    const said = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, env, encoding: 'utf8', timeout: 300_000 });
    expect(said.stderr).toBe('');
    expect(JSON.parse(said.stdout)).toEqual({ refused: 'plan_not_found', taken: ['shop/a'] });
    expect((await caller(service.url)('GET', '/api/plans')).body).toHaveLength(1);

    const typed = `
      import { type AbortCode, connect, connectConsole, type MonitorEvent, WorkAborted } from 'signalbox-client';
      const box = connect();
      const plans: readonly { slug: string }[] = await box.call('list_plans');
      const answer = await box.call('claim_next', { agent: 'ada', plan: plans[0]?.slug });
      if (answer.claimed) answer.node.ref.trim();
      box.on('claim_changed', ({ claim }) => claim?.agent.trim());
      box.work({ agent: 'ada' }, async ({ node, fence }, { signal, report }) => {
        await report(\`\${node.title} \${fence.toFixed()}\`, { session: String(signal.aborted) });
      });
      box.work({ agent: 'ada', timeoutMs: 60_000, onPlanDone: (plan) => plan.trim() }, async ({ inputs }, help) => {
        if (help.signal.reason instanceof WorkAborted) help.signal.reason.code satisfies AbortCode;
        await help.progress(0.5, inputs[0]?.ref);
        await help.wait('shop/a');
        help.defer({ until: new Date(), reason: 'later' });
      });
      const verdict = { type: 'scenario_finished', runId: 'r', uid: 'a', outcome: 'CleanPass' } as const;
      await connectConsole().call('ingest', { batch: { events: [verdict] } });
      // @ts-expect-error Outcomes have their own words.
      ({ ...verdict, outcome: 'passed' }) satisfies MonitorEvent;
      // @ts-expect-error There is no such command.
      box.call('claim_nothing', {});
      // @ts-expect-error An agent is asked for.
      box.call('claim_next', {});
    `;
    writeFileSync(join(folder, 'typed.mts'), typed);
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2024,dom,esnext.disposable',
    ];
    const checked = spawnSync(bin('tsc'), [...flags, '--types', '', 'typed.mts'], { cwd: folder, encoding: 'utf8' });
    expect(checked.stdout).toBe('');
  },
);

verifies(
  ['worker:takes-ready-nodes', 'worker:note-on-failure', 'worker:stops-in-order'],
  'the fleet of the guide runs real commands, waits for proof, and ends by SIGTERM with nothing held',
  async () => {
    await using service = await startedProcess();
    const call = caller(service.url);
    const node = (id: string, label: string, dependsOn: string[] = []) => ({
      id,
      labels: [label],
      dependsOn,
      binding: { kind: 'signOff' },
    });
    const nodes = [
      node('lint', 'lint'),
      node('wrong', 'wrong'),
      node('build', 'build', ['lint']),
      node('slow', 'slow'),
    ];
    await call('POST', '/api/plans', { plan: 'shop', nodes });
    copyFileSync(join(root, 'examples', 'fleet', 'commands.mjs'), join(folder, 'commands.mjs'));
    const did = join(folder, 'did');
    const commands = {
      lint: `echo $SIGNALBOX_NODE >> ${did}`,
      build: `echo $SIGNALBOX_NODE >> ${did}`,
      wrong: 'exit 3',
      slow: `echo slow >> ${did}; exec sleep 600`,
    };
    const env = { ...process.env, SIGNALBOX_SERVICE_URL: service.url, COMMANDS: JSON.stringify(commands) };
    const child = spawn(process.execPath, ['commands.mjs'], { cwd: folder, env, stdio: 'ignore' });
    const ended = new Promise<[number | null, string | null]>((resolve) =>
      child.once('close', (code, signal) => resolve([code, signal])),
    );
    const lines = () => (existsSync(did) ? readFileSync(did, 'utf8').trim().split('\n').toSorted() : []);
    await expect.poll(lines).toEqual(['shop/lint', 'slow']);
    await call('POST', '/api/plans/shop/nodes/lint/sign-off', { by: 'ida' });
    await expect.poll(lines).toEqual(['shop/build', 'shop/lint', 'slow']);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    const { body } = await call('GET', '/api/plans/shop/status');
    type Left = { id: string; status: string; claimedBy: unknown; lastClaim: { note: unknown; error?: string } };
    const left = body.nodes.map(({ id, status, claimedBy, lastClaim: { note, error } }: Left) => [
      id,
      status,
      claimedBy,
      note,
      error,
    ]);
    expect(left).toEqual([
      ['lint', 'done', null, `runs ${commands.lint}`, undefined],
      ['wrong', 'ready', null, 'runs exit 3', 'exit 3 ended with 3'],
      ['build', 'submitted', null, `runs ${commands.build}`, undefined],
      ['slow', 'ready', null, `runs ${commands.slow}`, undefined],
    ]);
  },
);

verifies(
  ['worker:takes-ready-nodes', 'worker:stops-in-order'],
  'the agents of the guide are started one for each ready node, in a worktree and on a branch of their own',
  async () => {
    await using service = await startedProcess();
    const call = caller(service.url);
    const nodes = ['one', 'two'].map((id) => ({ id, binding: { kind: 'signOff' } }));
    await call('POST', '/api/plans', { plan: 'agents', repository: 'acme/shop', nodes });
    const clone = join(folder, 'shop');
    addPrograms(folder, { claude: 'echo "works in $PWD on $(git branch --show-current)"' });
    copyFileSync(join(root, 'examples', 'fleet', 'agents.mjs'), join(folder, 'agents.mjs'));
    const setUp = `git init -q shop && cd shop && git remote add origin https://github.com/acme/shop.git
      git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m first && ln -s ../agents.mjs .`;
    await using prepared = typeIn(folder, setUp);
    expect(await prepared.ended, prepared.output()).toBe(0);
    const command = commandOf('docs/guides/fleet.md', 'node agents.mjs claude 3');
    const typed = `cd shop && ${command}`;
    await using fleet = typeIn(folder, typed, { SIGNALBOX_SERVICE_URL: service.url });
    const notes = async () =>
      (await call('GET', '/api/plans/agents/status')).body.nodes.map(
        ({ lastClaim }: { lastClaim: { note: string } | null }) => lastClaim?.note,
      );
    await expect
      .poll(notes, { message: fleet.output() })
      .toEqual(['one', 'two'].map((id) => `done on node/agents/${id}, to be reviewed and merged`));
    expect(fleet.output()).toMatch(/agents\/one: works in \S+\/agents-one on node\/agents\/one\n/);
    expect(existsSync(join(clone, '../agents-two/.git'))).toBe(true);
    fleet.end('SIGTERM');
    await fleet.ended;
  },
);

inBrowser('the packed client', () => {
  verifies('client:packed', 'it calls and hears in a page', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(service.url);
    const source = readFileSync(join(installed, 'dist', 'index.js'), 'utf8');
    const names = [...(/export\s*\{([^}]*)\}/.exec(source)?.[1]?.split(',') ?? [])].map((part) =>
      part.trim().replace(/^(\S+) as (\S+)$/, '$2: $1'),
    );
    const body = source.replace(/export\s*\{[^}]*\};?/, `return { ${names.join(', ')} };`);
    const heard = await page.evaluate(`(async () => {
      const { connect } = (() => { ${body} })();
      const box = connect({ url: '' });
      await box.call('create_plan', { document: { plan: 'shop', nodes: [{ id: 'a' }] } });
      const nodes = [];
      await new Promise(async (resolve) => {
        await box.on('claim_changed', ({ node }) => { nodes.push(node); resolve(); }).ready;
        await box.call('claim_node', { plan: 'shop', node: 'a', agent: 'ada' });
      });
      const sockets = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/plans/shop/nodes'));
      box.close();
      return { nodes, overRest: sockets.length };
    })()`);
    expect(heard).toEqual({ nodes: ['a'], overRest: 0 });
  });
});
