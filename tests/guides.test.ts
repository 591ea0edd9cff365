import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { compileCache } from './compile-cache.ts';
import { buildOneFile } from './publishers/one-file.ts';
import { binOf, createProject } from './publishers/project.ts';
import { cli } from './spawn.ts';
import { start } from './start.ts';

const root = join(import.meta.dirname, '..');
const guides = join(root, 'docs', 'guides');

/** What a reader types: a line each, continued lines as one. Plain blocks count where they name a program of ours or curl. */
function commandsOf(guide: string): string[] {
  const text = readFileSync(join(guides, guide), 'utf8');
  return [...text.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(([, language = '', body = '']) => {
    const lines = body
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .filter((line) => line !== '');
    if (language === 'sh' || language === 'bash') return lines;
    return language === '' ? lines.filter((line) => /^(?:signalbox|curl) /.test(line)) : [];
  });
}

/** Guides that another test types from the first line to the last. */
const typedWhole: Record<string, string> = {
  'work-loop.md': 'tests/docs.test.ts',
  'team.md': 'tests/scenarios/team.test.ts',
  'pipelines.md': 'tests/publishers/pipeline.test.ts',
};

/** Guides that the test below types. */
const typedHere = [
  'any-runner.md',
  'claude-code.md',
  'command-line.md',
  'connect-tests.md',
  'event-model.md',
  'mocha.md',
  'node-test.md',
];

const realAgents = ['tests/real-agents/rig.ts', "'--for', tools"] as const;

/** Commands of all other guides, and the test that types them; the text is what to look for in it. */
const typedElsewhere: Record<string, readonly [file: string, text: string]> = {
  'npx signalbox connect --for codex': ['tests/publishers/connect.test.ts', "'--for', 'codex'"],
  'npx signalbox connect --for copilot': realAgents,
  'npx signalbox connect --for gemini': realAgents,
  'npx signalbox connect --for opencode': realAgents,
  'npm install signalbox-client': ['tests/client/packed.test.ts', "'pack'"],
  'node agents.mjs claude 3': ['tests/real-agents/fleet.scene.ts', 'agents.mjs'],
  'signalbox watch': ['tests/hub/watch.test.ts', "'watch'"],
  'signalbox watch --plan checkout-2': ['tests/hub/watch.test.ts', "'--plan'"],
  'signalbox watch --json --types run_changed,run_ejected': ['tests/hub/watch.test.ts', "'--json'"],
  'signalbox event-model push examples/event-model.yaml --watch': ['tests/scenarios/event-model.test.ts', "'--watch'"],
  'npm run build': ['scripts/test-package.ts', 'build.ts'],
  'npm pack --workspace signalbox --workspace signalbox-publisher': ['scripts/test-package.ts', "'pack'"],
  'npm install --global ./signalbox-VERSION.tgz': ['scripts/test-package.ts', 'install(workFolder'],
  'PYTHONPATH=node_modules/signalbox-publisher/python pytest -p signalbox_pytest': [
    'tests/publishers/pytest.test.ts',
    "'signalbox_pytest'",
  ],
  'Service__Token="$(cat operator.token)" Service__AllowedOrigins=https://box.example.com,https://runs.example.com signalbox start':
    ['tests/browser/shell.test.ts', 'AllowedOrigins'],
  'Service__Notify=https://hooks.example.com/signalbox npx signalbox start': [
    'tests/publishers/notify.test.ts',
    'Notify: receiver.url',
  ],
};

/** What no test types, and why. */
const typedNowhere: Record<string, string> = {
  'npm install --save-dev signalbox-publisher': 'not on npm yet; tests link the package where this would put it',
  'npm install --save-dev ../signalbox/signalbox-publisher-VERSION.tgz': 'the same, from a file',
  'mkdir checkouts && cd checkouts': 'these clone public projects from the network: npm run test:projects',
  'git clone --depth 1 https://github.com/tj/commander.js && (cd commander.js && npm install)': 'network',
  'git clone --depth 1 https://github.com/expressjs/express && (cd express && npm install)': 'network',
  'npm run test:projects -- .': 'network',
};

const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
const unversioned = (command: string) => command.replaceAll(`-${version}.tgz`, '-VERSION.tgz');
const isForProjects = (command: string) => command.endsWith('/signalbox-project.json');

test('every command of every guide is typed in a test, or it is said why not', () => {
  const others = readdirSync(guides).filter((guide) => !(guide in typedWhole) && !typedHere.includes(guide));
  const commands = [...others.flatMap(commandsOf), ...typedHere.flatMap(commandsOf).filter(isLeftOut)].map(unversioned);
  const known = { ...typedElsewhere, ...typedNowhere };
  expect(commands.filter((command) => !(command in known) && !isForProjects(command))).toEqual([]);
  expect(Object.keys(known).filter((command) => !commands.includes(command))).toEqual([]);
  for (const [file, text] of Object.values(typedElsewhere))
    expect(readFileSync(join(root, file), 'utf8'), file).toContain(text);
  for (const file of Object.values(typedWhole)) expect(existsSync(join(root, file)), file).toBe(true);
});

const isLeftOut = (command: string) => /^npm install|--watch$/.test(command);

beforeAll(buildOneFile, 60_000);

test('the commands of the other guides work as they stand', async () => {
  await using service = await start();
  await using project = await readersProject();
  await service.call('POST', '/api/plans', {
    plan: 'checkout',
    nodes: [{ id: 'parser', binding: { kind: 'signOff' } }],
  });
  await service.call('POST', '/api/plans', { plan: 'release', nodes: [{ id: 'tests', binding: { kind: 'suite' } }] });
  const script = typedHere
    .flatMap((guide) => ['cd "$HOME"', ...commandsOf(guide).filter((command) => !isLeftOut(command))])
    // Nobody is there to be asked, and a console has one model.
    .map((command) =>
      / connect\b/.test(command) ? `${command} --yes` : command.replace('--model Shop', '--model Wallets'),
    )
    .join('\n')
    .replaceAll('http://127.0.0.1:5525', service.consoleUrl);
  const child = spawn('bash', ['-euo', 'pipefail', '-x', '-c', script], {
    cwd: project.folder,
    env: {
      PATH: `${join(project.folder, 'bin')}:${process.env.PATH}`,
      HOME: project.folder,
      ...compileCache,
      SIGNALBOX_SERVICE_URL: service.url,
      SIGNALBOX_URL: service.consoleUrl,
    },
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (told += text));
  expect(await new Promise((resolve) => child.once('close', resolve)), told).toBe(0);

  const { body: runs } = await service.console('GET', '/api/runs');
  const suites = (runs as { suite: string; green: boolean }[]).map(({ suite, green }) => [suite, green]);
  expect(suites.sort()).toEqual([
    ['shop', true],
    ['shop:mocha', true],
    ['shop:node-test', true],
  ]);
  expect((await service.call('GET', '/api/plans/checkout/nodes/parser')).body).toMatchObject({ status: 'claimed' });
}, 400_000);

/** A project with what the guides speak of. */
async function readersProject() {
  const project = await createProject(
    {
      'package.json': '{"name":"shop","type":"module","scripts":{"test":"node --test"}}\n',
      'checkout.yaml': 'plan: checkout\nnodes:\n  - id: parser\n    binding: { kind: signOff }\n',
      'my-project/package.json': '{"name":"mine"}\n',
      'config.json': '{"slices":[{"title":"Submit the cart","commands":[{"title":"Submit cart"}]}]}\n',
      '.mocharc.json': '{ "spec": "checks/*.js" }\n',
      'checks/cart.js': "it('adds', () => {});\n",
      'cart.test.js': "import test from 'node:test';\ntest('adds', () => {});\n",
      'docs/.keep': '',
    },
    ['mocha'],
  );
  cpSync(join(root, 'examples'), join(project.folder, 'examples'), { recursive: true });
  const programs = {
    signalbox: `exec '${process.execPath}' '${cli}' "$@"`,
    npx: 'exec "$@"',
    mocha: `exec '${process.execPath}' '${binOf('mocha/bin/mocha.js')}' "$@"`,
    make: 'exit 0',
  };
  mkdirSync(join(project.folder, 'bin'));
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(project.folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return project;
}
