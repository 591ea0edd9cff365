import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, signalbox } from '../spawn.ts';
import { start } from '../start.ts';

async function said(args: readonly string[], env: Record<string, string>, home?: string) {
  await using spawned = signalbox(args, env, home);
  const code = await spawned.ended;
  return { code, out: spawned.out(), err: spawned.err() };
}

test('a call prints a document as it is, and a claim lost to another as the answer that it is', async () => {
  await using service = await start();
  const env = { SIGNALBOX_SERVICE_URL: service.url };
  await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'a' }] });
  const document = await said(['plan_document', '--plan', 'p'], env);
  expect([document.code, document.out]).toEqual([0, expect.stringMatching(/^plan: p\n/)]);
  await service.call('POST', '/api/plans/p/nodes/a/claim', { agent: 'ada' });
  const lost = await said(['claim_node', '--plan', 'p', '--node', 'a', '--agent', 'bob'], env);
  expect([lost.code, JSON.parse(lost.out)]).toEqual([1, expect.objectContaining({ claimed: false, heldBy: 'ada' })]);
  const shown = await said(['plans', 'show', 'p'], env);
  expect(shown.out).toMatch(/NODE +STATUS +TITLE +NEEDS +PROOF\na +claimed by ada +a +unbound\n/);
});

test('a coordination command sent to the run console names the right port', async () => {
  await using service = await start();
  const aimed = await said(['agents'], { SIGNALBOX_SERVICE_URL: service.consoleUrl });
  expect([aimed.code, aimed.err]).toEqual([2, expect.stringContaining(`${service.consoleUrl} is the run console.`)]);
});

test('a plan file may be JSON, and errors in it have line and column', async () => {
  await using service = await start();
  const env = { SIGNALBOX_SERVICE_URL: service.url };
  writeFileSync(join(service.home, 'plan.json'), JSON.stringify({ plan: 'p', nodes: [{ id: 'a' }] }, null, 2));
  writeFileSync(join(service.home, 'broken.yaml'), 'plan: [\n');
  const imported = await said(['plans', 'import', 'plan.json'], env, service.home);
  expect([imported.code, imported.out]).toEqual([0, 'p was created, version 1\n  + a\n']);
  for (const word of ['import', 'create']) {
    const broken = await said(['plans', word, 'broken.yaml'], env, service.home);
    expect.soft([broken.code, broken.err], word).toEqual([1, expect.stringMatching(/^broken\.yaml:2:1: /)]);
  }
  const missing = await said(['plans', 'create', 'nowhere.yaml'], env, service.home);
  expect([missing.code, missing.err]).toEqual([
    2,
    'nowhere.yaml cannot be read (ENOENT). Check its name and permissions.\n',
  ]);
});

test('a missing token is explained once, and the command runs anyway', async () => {
  await using service = await start({ settings: { token: 'a-secret-of-this-test' } });
  const env = { SIGNALBOX_SERVICE_URL: service.url, SIGNALBOX_URL: service.consoleUrl };
  const demo = await said(['demo', '--into', env.SIGNALBOX_SERVICE_URL], env);
  expect([demo.code, demo.out, demo.err]).toEqual([1, '', expect.stringMatching(/^[^\n]+\n.*SIGNALBOX_TOKEN.*\n$/)]);
  const run = await said(['run', '--', 'echo', 'hi'], env);
  expect([run.code, run.out, run.err]).toEqual([0, 'hi\n', expect.stringContaining('requires a token')]);
});

test('a reader that has had enough ends the program without a word', async () => {
  const child = spawn('sh', ['-c', `'${process.execPath}' '${cli}' --help | head -1`]);
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  await new Promise((resolve) => child.once('close', resolve));
  expect([out, err]).toEqual(['Usage: signalbox [options] [command]\n', '']);
});
