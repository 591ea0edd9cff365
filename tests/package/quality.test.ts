import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPublisher } from '../publishers/build.ts';

const root = join(import.meta.dirname, '../..');
const names = ['signalbox', 'signalbox-publisher', 'signalbox-client'];
let folder: string;
let packed: { name: string; filename: string }[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-quality-'));
  await buildPublisher();
  execFileSync(process.execPath, [join(root, 'scripts/build-client.ts')]);
  const workspaces = names.flatMap((name) => ['--workspace', name]);
  const args = ['pack', ...workspaces, '--json', '--ignore-scripts', '--pack-destination', folder, '--loglevel=error'];
  packed = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test.each(names)('publint finds nothing to say about %s', async (name) => {
  const file = packed.find((one) => one.name === name)?.filename ?? '';
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, file));
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(pkg?.name).toBe(name);
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});
