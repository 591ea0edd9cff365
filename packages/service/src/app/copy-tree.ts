import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../files/durable-file.ts';
import { openSafeFile } from '../files/safe-file.ts';

/** `begin` is the SHA-256 of the requested number of bytes; null for a shorter file. */
export type CopiedFile = { path: string; bytes: number; sha256: string; begin: string | null };

type CopyOptions = {
  /** Called with paths relative to the top, such as `runs/ejected`. */
  skip?: (path: string) => boolean;
  /** Called for entries that are neither files nor folders; they are not copied. */
  onLeftOut?: (path: string) => void;
  /** The number of bytes at the beginning of a file to hash as well. */
  beginOf?: (path: string) => number | undefined;
};

const pieceBytes = 256 * 1024;

/**
 * Copies only plain files and folders. Files come before folders, so that an archive that is ejected meanwhile, and thus moved one folder deeper, is
 * still copied.
 */
export async function copyTree(from: string, to: string, options: CopyOptions = {}, under = ''): Promise<CopiedFile[]> {
  const { skip = () => false, beginOf = () => undefined } = options;
  await mkdir(to, { recursive: true, mode: 0o700 });
  const copied: CopiedFile[] = [];
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => !skip(under + name));
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const one = await copyOne(join(from, name), join(to, name), beginOf(under + name));
    if (one) copied.push({ path: under + name, ...one });
  }
  for (const entry of entries) if (!entry.isFile() && !entry.isDirectory()) options.onLeftOut?.(under + entry.name);
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    copied.push(...(await copyTree(join(from, name), join(to, name), options, `${under}${name}/`)));
  return copied;
}

/** Keeps the file time: the age of an archive decides when it is deleted. Null if the file no longer exists. */
async function copyOne(from: string, to: string, beginBytes?: number): Promise<Omit<CopiedFile, 'path'> | null> {
  const opened = await openSafeFile(from).catch(nullIfMissing);
  if (!opened) return null;
  const { file: source, stats } = opened;
  const hash = createHash('sha256');
  let bytes = 0;
  let begin: string | null = null;
  try {
    const { atimeMs, mtimeMs } = stats;
    const copy = await open(to, 'wx', 0o600);
    try {
      for await (const piece of source.createReadStream({ highWaterMark: pieceBytes, autoClose: false })) {
        const isBegin = beginBytes !== undefined && bytes < beginBytes && bytes + piece.length >= beginBytes;
        if (isBegin)
          begin = hash
            .copy()
            .update(piece.subarray(0, beginBytes - bytes))
            .digest('hex');
        hash.update(piece);
        bytes += piece.length;
        await copy.appendFile(piece);
      }
    } finally {
      await copy.close();
    }
    await utimes(to, atimeMs / 1000, mtimeMs / 1000);
    return { bytes, sha256: hash.digest('hex'), begin };
  } finally {
    await source.close();
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) hash.update(piece);
  return hash.digest('hex');
}

/** Every entry below a folder by its relative path, in order; `kind` is null for anything but a file or a folder, such as a link. */
export async function entriesIn(folder: string): Promise<{ path: string; kind: 'file' | 'folder' | null }[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .map((entry) => ({
      path: join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
      kind: entry.isFile() ? ('file' as const) : entry.isDirectory() ? ('folder' as const) : null,
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}
