import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addPrograms, commandOf, typeIn } from './guide-commands.ts';
import { announce } from './hub/announcing.ts';
import { runSample } from './samples.ts';
import { start } from './start.ts';

// Commands of the guides that do not end by themselves, or that need a separate machine.

function readersHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-reader-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  addPrograms(home);
  return home;
}

test('the commands of the hub guide print what happens until they are stopped', async () => {
  const home = readersHome();
  await using service = await start();
  const env = { SIGNALBOX_SERVICE_URL: service.url };
  const type = (command: string) => typeIn(home, commandOf('docs/guides/hub.md', command), env);
  await using all = type('signalbox watch');
  await using ofPlan = type('signalbox watch --plan checkout-2');
  await using ofRuns = type('signalbox watch --json --types run_changed,run_ejected');
  const run = runSample({ runId: 'r1', suite: 'unit' });
  const told = [
    () => /plan_changed +other [\s\S]*run_changed +r1/.test(all.output()),
    () => /plan_changed +checkout-2/.test(ofPlan.output()),
    () => /"type":"run_changed"/.test(ofRuns.output()),
  ];
  await expect
    .poll(() => {
      announce(service, { type: 'plan_changed', data: { slug: 'checkout-2', version: 2, nodes: ['a'] } });
      announce(service, { type: 'plan_changed', data: { slug: 'other', version: 2, nodes: ['a'] } });
      announce(service, { type: 'run_changed', data: { run } });
      return told.every((fits) => fits());
    })
    .toBe(true);
  expect(ofPlan.output()).not.toMatch(/ other |run_changed/);
  expect(ofRuns.output()).not.toContain('plan_changed');
});

test('the event model guide pushes the file again whenever it is saved', async () => {
  const home = readersHome();
  cpSync(join(import.meta.dirname, '../examples'), join(home, 'examples'), { recursive: true });
  await using service = await start();
  const command = commandOf(
    'docs/guides/event-model.md',
    'signalbox event-model push examples/event-model.yaml --watch',
  );
  await using pushing = typeIn(home, command, { SIGNALBOX_URL: service.consoleUrl });
  const model = async () => (await service.console('GET', '/api/event-model')).text;
  await expect.poll(model).toContain('Open a wallet');
  const file = join(home, 'examples/event-model.yaml');
  const renamed = readFileSync(file, 'utf8').replace('Open a wallet', 'Open a new wallet');
  // The model exists before the command has its answer, so a file saved immediately is not missed.
  writeFileSync(file, renamed);
  await expect.poll(model).toContain('Open a new wallet');
  expect(pushing.output()).toContain('Wallets');
});

test.each([
  ['docs/guides/notifications.md', 'Service__Notify=https://hooks.example.com/signalbox npx signalbox start'],
  [
    'docs/guides/reverse-proxy.md',
    'Service__Token="$(cat operator.token)" Service__AllowedOrigins=https://box.example.com,https://runs.example.com signalbox start',
  ],
])('the service starts as %s says, and ends in order', async (page, command) => {
  const home = readersHome();
  const token = 'a-token-of-sixteen-and-more';
  writeFileSync(join(home, 'operator.token'), `${token}\n`);
  await using service = typeIn(home, commandOf(page, command), { PORT: '0,0' });
  const [, url = ''] = await service.says(/coordination +(\S+)\n[\s\S]*reference/);
  const headers = { authorization: `Bearer ${token}`, origin: 'https://box.example.com' };
  const { status } = await fetch(`${url}/api/plans`, { headers });
  expect(status).toBe(page.includes('proxy') ? 200 : 403);
  service.end('SIGTERM');
  expect(await service.ended, service.output()).toBe(0);
});

test('the commands in operations.md about backups and in platforms.md about this machine work', async () => {
  const home = readersHome();
  const say = async (page: string, command: string) => {
    await using typed = typeIn(home, commandOf(page, command).replace('/backups', join(home, 'backups')));
    expect(await typed.ended, typed.output()).toBe(0);
    return typed.output();
  };
  const one = await start({ home });
  await one.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a' }] });
  mkdirSync(join(home, 'backups'));
  expect(await say('docs/operations.md', 'signalbox backup /backups/monday')).toContain('To restore it');
  expect(await say('docs/operations.md', 'signalbox backup verify /backups/monday')).toContain('is complete');
  expect(await say('docs/operations.md', 'signalbox backup drill /backups/monday')).toContain('a restore works');
  await one.stop();
  rmSync(one.dataPath, { recursive: true });
  await say('docs/operations.md', 'signalbox restore /backups/monday');
  await using two = await start({ home });
  expect((await two.call('GET', '/api/plans')).body).toMatchObject([{ slug: 'shop' }]);
  expect(await say('docs/platforms.md', 'signalbox doctor --platform')).toContain('Node');
});

test('every command of the table of symptoms is one that can be typed', async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
  const section = page.slice(page.indexOf('## By symptom'), page.indexOf('## Troubleshooting'));
  const commands = [
    ...new Set([...section.matchAll(/`(signalbox [^`]+|curl [^`]+)`/g)].map(([, command = '']) => command)),
  ];
  expect(commands.length).toBeGreaterThan(12);
  const home = readersHome();
  const one = await start({ home });
  await one.call('POST', '/api/plans', { plan: 'PLAN', nodes: [{ id: 'NODE' }] });
  const ports = { PORT: `${one.running.coordination.port},${one.running.console.port}` };
  const isForStopped = (command: string) => /restore|recover/.test(command);
  const type = async (command: string) => {
    const text = command
      .replace('FILE', `${home}/kept-${/backup/.test(command) ? 'again' : 'before'}`)
      .replace('localhost:5526', new URL(one.url).host);
    await using typed = typeIn(home, text, { ...ports, Service__GitHubUrl: one.url, Service__NpmRegistryUrl: one.url });
    // 1 is a finding, such as a step of an upgrade; 2 would be a usage error.
    expect([0, 1], `${text}: ${typed.output()}`).toContain(await typed.ended);
    expect(typed.output()).not.toMatch(/^\s+at .*:\d+:\d+/m);
  };
  await type('signalbox backup FILE'.replace('FILE', `${home}/kept-before`));
  for (const command of commands.filter((each) => !isForStopped(each))) await type(command);
  await one.stop();
  for (const command of commands.filter(isForStopped)) await type(command);
});
