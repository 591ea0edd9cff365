import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sourceFiles } from '../../packages/event-model/src/io/source-files.ts';
import { openSources } from '../../packages/event-model/src/sources.ts';
import { host, specs } from '../../packages/event-model/testing/wallets.ts';

let home: string;
let said: string[];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'event-model-'));
  said = [];
});
afterEach(() => rm(home, { recursive: true }));

const directory = () => join(home, 'event-models');
const files = () => sourceFiles(directory(), (line) => said.push(line));
const pushedAt = '2026-01-01T10:00:00.000Z';

describe('sources on the disk', () => {
  test('survive a restart', async () => {
    const before = (await openSources(files())).sources;
    await before.push({ source: 'Host', descriptor: host, pushedAt });
    await before.push({ source: 'specs', descriptor: specs, pushedAt });
    const { sources, ignored } = await openSources(files());
    expect(sources.current()).toEqual(before.current());
    expect(ignored).toEqual([]);
    expect((await readdir(directory())).sort()).toEqual(['host.json', 'specs.json']);
  });

  test('a corrupt file is skipped and logged; the others are served, and a new push replaces it', async () => {
    const before = (await openSources(files())).sources;
    await before.push({ source: 'host', descriptor: host, pushedAt });
    await before.push({ source: 'specs', descriptor: specs, pushedAt });
    const torn = await readFile(join(directory(), 'specs.json'), 'utf8');
    await writeFile(join(directory(), 'specs.json'), torn.slice(0, 100));
    await writeFile(
      join(directory(), 'shape.json'),
      '{"source":"shape","pushedAt":"2026-01-01T10:00:00.000Z","descriptor":{}}',
    );
    await writeFile(join(directory(), 'moved.json'), await readFile(join(directory(), 'host.json')));
    const { sources } = await openSources(files());
    expect(sources.current()?.sources.map(({ source }) => source)).toEqual(['host']);
    const skipped = (name: string, why: string) =>
      `event-models/${name}.json is skipped: ${why}. Push that source again to replace it.`;
    expect(said.sort()).toEqual([
      skipped('moved', 'its file name is not the name of its source'),
      skipped('shape', 'descriptor.name: is required'),
      skipped('specs', 'it is not JSON'),
    ]);
    await sources.push({ source: 'specs', descriptor: specs, pushedAt });
    expect((await openSources(files())).sources.current()?.sources).toHaveLength(2);
  });

  test('what a crash left half written is cleared away and never read', async () => {
    await (await openSources(files())).sources.push({ source: 'host', descriptor: host, pushedAt });
    await writeFile(join(directory(), '.host.json.1234.tmp'), '{"half');
    expect((await openSources(files())).sources.current()?.sources).toHaveLength(1);
    expect(await readdir(directory())).toEqual(['host.json']);
    expect(said).toEqual([]);
  });

  test('no symlink is followed, neither to read nor to write', async () => {
    await (await openSources(files())).sources.push({ source: 'host', descriptor: host, pushedAt });
    const outside = join(home, 'outside.json');
    await writeFile(outside, JSON.stringify({ source: 'link', pushedAt, descriptor: { name: 'Wallets' } }));
    await symlink(outside, join(directory(), 'link.json'));
    const before = await readFile(outside, 'utf8');
    const { sources } = await openSources(files());
    expect(sources.current()?.sources).toHaveLength(1);
    expect(said).toEqual([expect.stringContaining('event-models/link.json is skipped')]);
    await sources.push({ source: 'link', descriptor: specs, pushedAt });
    expect(await readFile(outside, 'utf8')).toBe(before);
    expect((await lstat(join(directory(), 'link.json'))).isFile()).toBe(true);
  });

  test('of files of two models the one pushed first is served; the other stays on disk and is logged', async () => {
    const store = files();
    await store.write({
      source: 'late',
      pushedAt: '2026-02-01T00:00:00.000Z',
      descriptor: { ...host, name: 'Orders' },
    });
    await store.write({ source: 'early', pushedAt, descriptor: host });
    const { sources, ignored } = await openSources(store);
    expect(sources.current()?.model.name).toBe('Wallets');
    expect(ignored.map(({ source }) => source)).toEqual(['late']);
    expect(await readdir(directory())).toContain('late.json');
    await sources.remove('late');
    expect(await readdir(directory())).toEqual(['early.json']);
  });

  test('an invalid source name never reaches the disk', () => {
    expect(() => files().write({ source: '../host', pushedAt, descriptor: host })).toThrow();
  });

  test('removing the last source leaves nothing to serve after a restart', async () => {
    const { sources } = await openSources(files());
    await sources.push({ source: 'host', descriptor: host, pushedAt });
    await sources.remove('host');
    expect((await openSources(files())).sources.current()).toBeNull();
  });
});
