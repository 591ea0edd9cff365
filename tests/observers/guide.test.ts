import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addPrograms, commandOf, typeIn } from '../guide-commands.ts';
import { operatorToken, startClosed } from '../tokens.ts';
import { observerFile } from './container.ts';

const page = 'docs/guides/elsewhere.md';
const started = [
  'SIGNALBOX_TOKEN=... signalbox observe --to http://signalbox.example:5526 --name devbox --enter "ssh devbox"',
  'SIGNALBOX_TOKEN=... node signalbox-observe.mjs --to http://host.docker.internal:5526 --name shop-dev --enter "docker exec -it shop-dev"',
];

test('the commands of the guide make a token, observe, and connect a devcontainer and a box with hooks alone', async () => {
  await using service = await startClosed();
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  addPrograms(folder, { node: `exec '${process.execPath}' "$@"` });
  writeFileSync(join(folder, 'signalbox-observe.mjs'), readFileSync(observerFile));
  mkdirSync(join(folder, '.devcontainer'));
  writeFileSync(join(folder, '.devcontainer/devcontainer.json'), '{}\n');
  const env = { SIGNALBOX_SERVICE_URL: service.url, SIGNALBOX_TOKEN: operatorToken };

  await using creating = typeIn(folder, commandOf(page, 'signalbox tokens create boxes --scope observe'), env);
  const [, token = ''] = await creating.says(/\b(sbx_\S+|[\w-]{40,})/);
  for (const command of started) {
    const text = commandOf(page, command)
      .replace('TOKEN=...', `TOKEN=${token}`)
      .replace(/http:\S+:5526/, service.url);
    await using observing = typeIn(folder, `exec env ${text}`, env);
    await observing.says(/Observing as/);
    observing.end('SIGTERM');
    expect(await observing.ended).toBe(0);
  }

  await using devcontainer = typeIn(folder, `${commandOf(page, 'signalbox connect --devcontainer')} --yes`, env);
  expect(await devcontainer.ended, devcontainer.output()).toBe(0);
  expect(readFileSync(join(folder, '.devcontainer/devcontainer.json'), 'utf8')).toContain('signalbox-observe');
  const hooks = commandOf(
    page,
    'SIGNALBOX_TOKEN=... signalbox connect --hooks-only cloud-box --url https://signalbox.example:5526',
  );
  await using connecting = typeIn(folder, `${hooks} --yes`, env);
  expect(await connecting.ended, connecting.output()).toBe(0);
  const settings = readFileSync(join(folder, '.claude/settings.json'), 'utf8');
  expect(settings).toContain('host=cloud-box');
  expect(Object.keys(JSON.parse(settings).hooks)).toEqual(expect.arrayContaining(['Notification', 'PostToolUse']));
});
