import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { addPrograms, commandsOf, pages, typeIn, unversioned } from './guide-commands.ts';
import { buildOneFile } from './publishers/one-file.ts';
import { binOf, createProject } from './publishers/project.ts';
import { start } from './start.ts';

const root = join(import.meta.dirname, '..');

/** Pages that another test types from the first line to the last, unchanged. */
const typedWhole: Record<string, string> = {
  'docs/guides/pipelines.md': 'tests/publishers/pipeline.test.ts',
  'docs/guides/team.md': 'tests/scenarios/team.test.ts',
  'docs/guides/work-loop.md': 'tests/docs.test.ts',
  'docs/start.md': 'tests/docs.test.ts',
};

/** Pages with commands that the test below runs, apart from the listed exceptions. */
const typedHere = [
  'amp',
  'any-runner',
  'claude-code',
  'codex',
  'command-line',
  'connect-tests',
  'copilot',
  'event-model',
  'gemini',
  'licence',
  'mocha',
  'node-test',
  'opencode',
].map((guide) => `docs/guides/${guide}.md`);

/** Commands of all other pages, and the test that types them word for word. */
const typedElsewhere: Record<string, string> = {
  'signalbox tokens create boxes --scope observe': 'tests/observers/guide.test.ts',
  'SIGNALBOX_TOKEN=... signalbox observe --to http://signalbox.example:5526 --name devbox --enter "ssh devbox"':
    'tests/observers/guide.test.ts',
  'SIGNALBOX_TOKEN=... node signalbox-observe.mjs --to http://host.docker.internal:5526 --name shop-dev --enter "docker exec -it shop-dev"':
    'tests/observers/guide.test.ts',
  'signalbox connect --devcontainer': 'tests/observers/guide.test.ts',
  'SIGNALBOX_TOKEN=... signalbox connect --hooks-only cloud-box --url https://signalbox.example:5526':
    'tests/observers/guide.test.ts',
  'npm run -s signalbox -- demo': 'tests/scenarios/npm-start.test.ts',
  'npm start': 'tests/scenarios/npm-start.test.ts',
  'npm install signalbox-client': 'tests/package/install.test.ts',
  'npm install ../signalbox/signalbox-client-VERSION.tgz': 'tests/package/install.test.ts',
  'npm install --save-dev signalbox-publisher': 'tests/package/install.test.ts',
  'npm install --save-dev ../signalbox/signalbox-publisher-VERSION.tgz': 'tests/package/install.test.ts',
  'node agents.mjs claude 3': 'tests/client/packed.test.ts',
  'node fan-out.mjs': 'tests/client/orchestrate.test.ts',
  'signalbox watch': 'tests/typed-guides.test.ts',
  'signalbox watch --plan checkout-2': 'tests/typed-guides.test.ts',
  'signalbox watch --json --types run_changed,run_ejected': 'tests/typed-guides.test.ts',
  'signalbox event-model push examples/event-model.yaml --watch': 'tests/typed-guides.test.ts',
  'Service__Token="$(cat operator.token)" Service__AllowedOrigins=https://box.example.com,https://runs.example.com signalbox start':
    'tests/typed-guides.test.ts',
  'Service__Notify=https://hooks.example.com/signalbox npx signalbox start': 'tests/typed-guides.test.ts',
  'signalbox doctor --platform': 'tests/typed-guides.test.ts',
  'signalbox backup /backups/monday': 'tests/typed-guides.test.ts',
  'signalbox backup verify /backups/monday': 'tests/typed-guides.test.ts',
  'signalbox backup drill /backups/monday': 'tests/typed-guides.test.ts',
  'signalbox restore /backups/monday': 'tests/typed-guides.test.ts',
  'signalbox service install': 'tests/platform/service.test.ts',
  'signalbox service status': 'tests/platform/service.test.ts',
  'signalbox service logs --follow': 'tests/platform/service.test.ts',
  'signalbox service uninstall': 'tests/platform/service.test.ts',
  'signalbox migrate-store --to postgres://signalbox:secret@db.example/signalbox':
    'tests/keeping/migrate-store.test.ts',
  'Service__Store=postgres://signalbox:secret@db.example/signalbox signalbox start':
    'tests/keeping/migrate-store.test.ts',
  'npm run build': 'scripts/test-package.ts',
  'npm pack --workspace signalbox --workspace signalbox-publisher --workspace signalbox-client':
    'scripts/test-package.ts',
  'npm install --global ./signalbox-VERSION.tgz': 'scripts/test-package.ts',
  'PYTHONPATH=node_modules/signalbox-publisher/python pytest -p signalbox_pytest': 'tests/publishers/pytest.test.ts',
};

/** Commands that no test types, and why. */
const typedNowhere: Record<string, string> = {
  'OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 signalbox start': 'a collector of its own: tests/telemetry',
  'docker run --rm -p 16686:16686 -p 4318:4318 jaegertracing/jaeger:latest': 'no container can be had here',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://localhost:4318/v1/traces signalbox start': 'as the first',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://tempo:4318/v1/traces OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://prometheus:9090/api/v1/otlp/v1/metrics signalbox start':
    'as the first',
  'docker cp signalbox-observe.mjs shop-dev:/usr/local/lib/':
    'no container can be had here: namespaces stand for one in tests/observers/observer.test.ts',
  'docker exec -d -e SIGNALBOX_TOKEN shop-dev node /usr/local/lib/signalbox-observe.mjs --to http://host.docker.internal:5526 --name shop-dev --enter "docker exec -it shop-dev"':
    'the same',
  'ssh -R 5526:127.0.0.1:5526 devbox node signalbox-observe.mjs --to http://127.0.0.1:5526 --name devbox --enter "ssh devbox"':
    'needs a second machine',
  'kubectl create configmap signalbox-observe --from-file=signalbox-observe.mjs':
    'needs a cluster; the files are checked by tests/observers/kubernetes.test.ts',
  'kubectl create secret generic signalbox-observe --from-literal=token=...': 'the same',
  'kubectl apply -f kubernetes-sidecar.yaml': 'the same',
  'signalbox connect --tests': 'typed with the page of connect-tests; in a monorepo by connect-workspaces.test.ts',
  'signalbox run -- npx turbo run test': 'turbo and nx are installed by npm run test:runners alone',
  'signalbox run -- npx nx run-many -t test': 'the same',
  'signalbox run -- npm test --workspaces': 'what it starts is in tests/publishers',
  'git clone <this repository> signalbox && cd signalbox': 'the tests are in what this makes',
  'podman build --format docker --tag signalbox .':
    'no image can be had here: the workflow builds it and waits until it is healthy',
  'podman run --publish 5526:5526 --publish 5525:5525 --volume signalbox:/data --env Service__Token signalbox':
    'the same',
  'mkdir checkouts && cd checkouts': 'these clone public projects from the network: npm run test:projects',
  'git clone --depth 1 https://github.com/tj/commander.js && (cd commander.js && npm install)': 'network',
  'git clone --depth 1 https://github.com/expressjs/express && (cd express && npm install)': 'network',
  'npm run test:projects -- .': 'network',
};

const isForProjects = (command: string) => command.endsWith('/signalbox-project.json');
const isLeftOut = (command: string) => /^npm install|--watch$/.test(command);

test('every command of every page is typed in a test word for word, or it is said why not', () => {
  const others = pages.filter((page) => !(page in typedWhole) && !typedHere.includes(page));
  const commands = [...others.flatMap(commandsOf), ...typedHere.flatMap(commandsOf).filter(isLeftOut)].map(unversioned);
  const known = { ...typedElsewhere, ...typedNowhere };
  expect(commands.filter((command) => !(command in known) && !isForProjects(command))).toEqual([]);
  expect(Object.keys(known).filter((command) => !commands.includes(command))).toEqual([]);
  for (const [command, file] of Object.entries(typedElsewhere))
    expect(readFileSync(join(root, file), 'utf8'), file).toContain(command);
  for (const file of Object.values(typedWhole)) expect(existsSync(join(root, file)), file).toBe(true);
});

beforeAll(buildOneFile);

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
    // Nobody can confirm here, and a console has only one model.
    .map((command) =>
      / connect\b/.test(command) ? `${command} --yes` : command.replace('--model Shop', '--model Wallets'),
    )
    .join('\n')
    .replaceAll('http://127.0.0.1:5525', service.consoleUrl);
  const env = { SIGNALBOX_SERVICE_URL: service.url, SIGNALBOX_URL: service.consoleUrl };
  await using typed = typeIn(project.folder, `set -x\n${script}`, env);
  expect(await typed.ended, typed.output()).toBe(0);

  const { body: runs } = await service.console('GET', '/api/runs');
  const suites = (runs as { suite: string; green: boolean }[]).map(({ suite, green }) => [suite, green]);
  expect(suites.sort()).toEqual([
    ['shop', true],
    ['shop', true],
    ['shop:mocha', true],
    ['shop:node-test', true],
  ]);
  expect((await service.call('GET', '/api/plans/checkout/nodes/parser')).body).toMatchObject({ status: 'claimed' });
});

/** A project with everything that the guides mention. */
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
      'target/surefire-reports/TEST-Cart.xml':
        '<testsuite name="Cart" tests="1"><testcase classname="Cart" name="adds" time="0.01"/></testsuite>',
      'docs/.keep': '',
    },
    ['mocha'],
  );
  cpSync(join(root, 'examples'), join(project.folder, 'examples'), { recursive: true });
  addPrograms(project.folder, {
    mocha: `exec '${process.execPath}' '${binOf('mocha/bin/mocha.js')}' "$@"`,
    make: 'exit 0',
  });
  return project;
}
