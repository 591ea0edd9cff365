import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRunsFile } from '../console/runs/io/check-runs-file.ts';
import { checkSqlite } from '../store/sqlite/check-sqlite.ts';
import {
  BadBackup,
  isPacked,
  type Manifest,
  manifestFile,
  mostManifestBytes,
  readManifest,
  runsFile,
  storeFile,
} from './backup-manifest.ts';
import { entriesIn, sha256Of } from './copy-tree.ts';
import { BadArchive, readPacked, writeEntry } from './tar.ts';

const next = 'Nothing was changed. Use another backup.';
const damaged = (source: string, what: string): BadBackup => new BadBackup(`${source} is damaged: ${what}. ${next}`);

/** Reads a whole backup and compares it with its list; a packed one is unpacked into a temporary folder. */
export async function verifyBackup(source: string): Promise<Manifest> {
  if (isFolder(source)) return verifyFolder(source, source);
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-verify-'));
  try {
    await unpackBackup(source, folder);
    return await verifyFolder(folder, source);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function isFolder(source: string): boolean {
  if (!existsSync(source))
    throw new BadBackup(`${source} does not exist. Pass the folder or .tar.gz file that "signalbox backup" made.`);
  if (statSync(source).isDirectory()) return true;
  if (isPacked(source) && statSync(source).isFile()) return false;
  throw new BadBackup(`${source} is neither a folder nor a .tar.gz file. Pass what "signalbox backup" made.`);
}

/** Compares an unpacked backup with its list, and every event and row with its checksum. Nothing is written. */
export async function verifyFolder(folder: string, source: string): Promise<Manifest> {
  const manifest = manifestIn(folder, source);
  const entries = await entriesIn(folder);
  const link = entries.find(({ kind }) => kind === null);
  if (link) throw damaged(source, `it contains a link or a device (${link.path}), which a Signalbox backup never does`);
  const files = entries.filter(({ path, kind }) => kind === 'file' && path !== manifestFile).map(({ path }) => path);
  await compareFiles(folder, files, manifest, source);
  const { events, sequence, damage } = existsSync(join(folder, storeFile))
    ? checkSqlite(join(folder, storeFile), 'copy')
    : { events: 0, sequence: 0, damage: null };
  if (damage !== null) throw damaged(source, `in ${storeFile}, ${damage}`);
  if (events !== manifest.events) throw damaged(source, `expected ${manifest.events} events, found ${events}`);
  if (sequence !== manifest.sequence)
    throw damaged(source, `expected the last event to be number ${manifest.sequence}, found ${sequence}`);
  const runs = join(folder, runsFile);
  const runsDamage = existsSync(runs) ? checkRunsFile(runs) : null;
  if (runsDamage !== null) throw damaged(source, `in ${runsFile}, ${runsDamage}`);
  return manifest;
}

async function compareFiles(folder: string, files: readonly string[], manifest: Manifest, source: string) {
  const { contents: listed } = manifest;
  if (listed === null) {
    const sizes = await Promise.all(files.map(async (path) => (await stat(join(folder, path))).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (files.length !== manifest.files || bytes !== manifest.bytes)
      throw damaged(
        source,
        `expected ${manifest.files} files of ${manifest.bytes} bytes, found ${files.length} of ${bytes}`,
      );
    return;
  }
  const found = new Set(files);
  const missing = Object.keys(listed).find((path) => !found.has(path));
  if (missing !== undefined) throw damaged(source, `${missing} is missing`);
  for (const path of files) {
    const wanted = Object.hasOwn(listed, path) ? listed[path] : undefined;
    if (wanted === undefined) throw damaged(source, `${path} is not listed in the backup`);
    if ((await sha256Of(join(folder, path))) !== wanted.sha256)
      throw damaged(source, `${path} differs from what was backed up`);
  }
}

export function manifestIn(folder: string, source: string): Manifest {
  const file = join(folder, manifestFile);
  if (!existsSync(file) || !statSync(file).isFile())
    throw new BadBackup(`${source} is not a complete backup: ${manifestFile} is missing. ${next}`);
  return manifestOf(statSync(file).size > mostManifestBytes ? '' : readFileSync(file, 'utf8'), source);
}

function manifestOf(text: string, source: string): Manifest {
  const manifest = readManifest(text);
  if (manifest) return manifest;
  throw damaged(source, `its ${manifestFile} differs from what was written`);
}

/** Unpacks no more files and bytes than the list of the backup has, and only if there is room for them. */
export async function unpackBackup(source: string, folder: string): Promise<void> {
  const { files, bytes } = await packedManifest(source);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  if (bytes > bavail * bsize)
    throw new BadBackup(
      `${source} needs ${megabytes(bytes)} MB, and ${folder} has ${megabytes(bavail * bsize)} MB left. Free space, or unpack it elsewhere with tar and pass the folder.`,
    );
  let [filesLeft, bytesLeft, entriesLeft] = [files, bytes, 2 * files + 100];
  await readWhole(source, async (entry, content) => {
    entriesLeft -= 1;
    if (entriesLeft < 0) throw new BadArchive('it contains files that are not listed in it');
    if (entry.kind === 'folder') return void (await mkdir(join(folder, entry.path), { recursive: true, mode: 0o700 }));
    if (entry.path !== manifestFile) {
      filesLeft -= 1;
      bytesLeft -= entry.bytes;
    }
    if (filesLeft < 0 || bytesLeft < 0 || entry.bytes > mostManifestBytes + bytes)
      throw new BadArchive('it contains files that are not listed in it');
    await writeEntry(folder, entry, content);
  });
}

const megabytes = (bytes: number): string => Math.ceil(bytes / 1e6).toLocaleString('en');

/** Compares a packed backup with its list, file by file, without unpacking it. */
export async function verifyPacked(source: string): Promise<void> {
  const { contents } = await packedManifest(source);
  const left = new Map(Object.entries(contents ?? {}));
  await readWhole(source, async ({ path, kind }, content) => {
    if (kind === 'folder' || path === manifestFile) return;
    const hash = createHash('sha256');
    for await (const piece of content) hash.update(piece);
    if (left.get(path)?.sha256 !== hash.digest('hex')) throw new BadArchive(`${path} differs from what was backed up`);
    left.delete(path);
  });
  const [missing] = left.keys();
  if (missing !== undefined) throw damaged(source, `${missing} is missing`);
}

/** The list of a packed backup, which is its first file; in earlier releases it may be anywhere. */
export async function packedManifest(source: string): Promise<Manifest> {
  const pieces: Buffer[] = [];
  let isFound = false;
  await readWhole(source, async ({ path, bytes }, content) => {
    if (path !== manifestFile || bytes > mostManifestBytes) return;
    isFound = true;
    for await (const piece of content) pieces.push(piece);
    return false;
  });
  if (!isFound) throw new BadBackup(`${source} is not a complete backup: ${manifestFile} is missing. ${next}`);
  return manifestOf(Buffer.concat(pieces).toString(), source);
}

async function readWhole(source: string, read: Parameters<typeof readPacked>[1]): Promise<void> {
  try {
    await readPacked(source, read);
  } catch (fault) {
    throw fault instanceof BadArchive ? damaged(source, fault.message) : fault;
  }
}
