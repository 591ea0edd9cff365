import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { thisMachine } from '../../packages/service/src/coordination/hosts/io/enter-hosts.ts';
import { keepHost } from '../../packages/service/src/files/host-file.ts';
import { bootIdIn } from '../../packages/service/src/platform/boot-id.ts';
import { platformOf } from '../../packages/service/src/platform/platform.ts';
import { withPrograms } from '../platform/fake-programs.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-name-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const shared = { Service__Store: 'postgres://db.example/signalbox' };
const nameIn = (machine: string, env: Record<string, string> = shared) => {
  const given = { ...env, Service__DataPath: home };
  return readConfig({ env: given, args: [], cwd: home, home, machine }).config.hostName;
};

test("a host of a shared store keeps the name of its first start, even if the machine's name changes", () => {
  expect(nameIn('adas-mac.local')).toBe('adas-mac.local');
  const id = keepHost(home, 'adas-mac.local');
  expect(nameIn('dhcp-10-1-2-3.corp.example')).toBe('adas-mac.local');
  expect(keepHost(home, 'adas-mac.local')).toBe(id);
});

test('Service:HostName renames it, and the host continues as the same data path', () => {
  const id = keepHost(home, 'adas-mac.local');
  expect(nameIn('dhcp-10-1-2-3', { ...shared, Service__HostName: 'ada' })).toBe('ada');
  expect(keepHost(home, 'ada')).toBe(id);
  expect(nameIn('dhcp-10-1-2-4')).toBe('ada');
});

test('a host.json without a name, or one cut off by a crash, is rewritten', () => {
  const file = join(home, 'host.json');
  const id = '00000000-0000-4000-8000-000000000001';
  writeFileSync(file, JSON.stringify({ id }));
  expect(nameIn('ada')).toBe('ada');
  expect(keepHost(home, 'ada')).toBe(id);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ id, name: 'ada' });
  writeFileSync(file, '{"id":"0000');
  expect(keepHost(home, 'ada')).not.toBe(id);
});

test('on one machine alone a host is called as its machine is', () => {
  keepHost(home, 'adas-mac.local');
  expect(nameIn('renamed.local', {})).toBe('renamed.local');
});

test('a machine is identified by its boot id, not by its name, if the system has one', async () => {
  const id = '9B1DE2E0-1C5F-4C8A-9D5E-0123456789AB';
  await withPrograms({ sysctl: `test "$2" = kern.bootsessionuuid && echo ${id}` });
  expect(platformOf('darwin').bootId()).toBe(id.toLowerCase());
  await withPrograms({ sysctl: 'echo "unknown oid" >&2; exit 1' });
  expect(platformOf('darwin').bootId()).toBeNull();
  expect([bootIdIn('not a uuid'), bootIdIn(null), platformOf('win32').bootId()]).toEqual([null, null, null]);
  expect(thisMachine()).not.toBe('');
});
