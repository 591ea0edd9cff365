import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseXml } from '../junit-xml.ts';
import { start } from '../start.ts';

const sequence = '\u001b]0;owned\u0007\u001b[31m';

test('an escape sequence in a name never reaches the terminal unescaped, in any log line', async () => {
  const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const plans = join(home, 'plans');
  await mkdir(plans);
  await writeFile(join(plans, `${sequence}.yaml`), `plan: "${sequence}"\nnodes: 7\n`);
  await using service = await start({ home, settings: { PlansPath: plans } });
  await service.call('POST', '/api/plans', { plan: sequence, [sequence]: sequence });
  expect(service.logged()).toContain('cannot import a plan file');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(service.logged()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test('links in names stay text: no document that we send has a place for a script', async () => {
  await using service = await start();
  const name = '<img src=x onerror=alert(1)> javascript:alert(1) </script><script>alert(1)</script>';
  await service.console('PUT', '/api/event-model/web', { name, slices: [] });
  await service.console('POST', '/api/ingest', {
    events: [
      { type: 'run_started', runId: 'r1', suite: name, tag: name },
      { type: 'scenario_finished', runId: 'r1', uid: `F/${name}`, outcome: 'Failed', errorMessage: name, attempts: 1 },
    ],
  });
  const pages = [
    await service.console('GET', '/api/docs'),
    await service.call('GET', '/api/docs'),
    await service.call('GET', '/'),
    await service.console('GET', '/'),
    await service.console('GET', '/api/event-model/diagram'),
    await service.console('GET', '/api/runs/r1/export?format=junit'),
  ];
  for (const { text, headers } of pages) {
    expect(text).not.toContain('onerror=alert(1)>');
    expect(text).not.toContain('<script>alert');
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe-inline|unsafe-eval/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  parseXml((await service.console('GET', '/api/runs/r1/export?format=junit')).text);
});
