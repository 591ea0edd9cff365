import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cliCommand } from './cli-command.ts';

const bin = realpathSync(join(import.meta.dirname, '../cli/bin.ts'));
const byScript = `npm --prefix ${join(import.meta.dirname, '../../../..')} run -s signalbox --`;

test('a checkout shows its script, as one types it, unless the name on the PATH is this installation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(cliCommand(folder)).toBe(byScript);
  writeFileSync(join(folder, 'signalbox'), '#!/bin/sh\n');
  expect(cliCommand(folder)).toBe(byScript);
  rmSync(join(folder, 'signalbox'));
  symlinkSync(bin, join(folder, 'signalbox'));
  expect(cliCommand(`/nowhere:${folder}`)).toBe('signalbox');
});
