import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { platformOf } from '../../packages/service/src/platform/platform.ts';
import { withPrograms } from './fake-programs.ts';

const mac = platformOf('darwin');

beforeEach(() => {
  vi.stubEnv('BROWSER', '');
  onTestFinished(() => void vi.unstubAllEnvs());
});

test('the system opens the page with its own program, which gets the whole address as one word', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opened-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await withPrograms({ open: `printf '%s|' "$@" > '${folder}/words'` });
  expect(await mac.openInBrowser('http://localhost:5526/runs?a=1&b=$(x)')).toEqual({ opened: true });
  expect(await readFile(join(folder, 'words'), 'utf8')).toBe('http://localhost:5526/runs?a=1&b=$(x)|');
});

test('a page that cannot be opened is reported with the reason, never as a fault', async () => {
  await withPrograms({ open: 'exit 3' });
  const reason = 'it could not be opened with open';
  expect(await mac.openInBrowser('http://localhost:5526/')).toEqual({ opened: false, reason });
  await withPrograms({}, { alone: true });
  expect(await mac.openInBrowser('http://localhost:5526/')).toEqual({ opened: false, reason });
});

test('nothing but an http address is handed to the system', async () => {
  await withPrograms({ open: 'exit 0' });
  for (const address of ['file:///etc/passwd', '-a Calculator', 'javascript:alert(1)'])
    expect(await mac.openInBrowser(address)).toMatchObject({ opened: false });
});

test('a missing service manager is reported with its reason', async () => {
  await withPrograms({}, { alone: true });
  expect(await platformOf('linux').serviceManager()).toMatchObject({
    kind: 'none',
    reason: expect.stringMatching(/no systemd/),
  });
  await withPrograms({ systemctl: 'exit 0' });
  expect(await platformOf('linux').serviceManager()).toMatchObject({ kind: 'systemd' });
  expect(await mac.serviceManager()).toMatchObject({ kind: 'launchd' });
  expect(await platformOf('win32').serviceManager()).toMatchObject({
    kind: 'none',
    reason: expect.stringMatching(/WSL/),
  });
});
