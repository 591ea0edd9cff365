import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing, writeAtomically } from '../../../files/durable-file.ts';
import { readLines } from '../../../files/read-lines.ts';
import { openSafeFile, readFileStart } from '../../../files/safe-file.ts';
import type { HistoryFiles, HistorySuite } from '../history/ports.ts';

const ending = '.ndjson';
const longestHeader = 64 * 1024;
const newLine = 0x0a;
/** A system has so many files open at once, and publishers name suites without end. */
const filesAtOnce = 16;

/** The first line of a file says which suite it is about; each of the others is one run. */
export async function openHistoryFiles(folder: string): Promise<HistoryFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = ({ repository, suite }: HistorySuite) => {
    const name = createHash('sha256')
      .update(JSON.stringify([repository, suite]))
      .digest('hex');
    return join(folder, name.slice(0, 32) + ending);
  };
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith(ending) && !name.startsWith('.'));
  return {
    async suites() {
      const names = await files();
      const suites: HistorySuite[] = [];
      for (let at = 0; at < names.length; at += filesAtOnce) {
        const paths = names.slice(at, at + filesAtOnce).map((name) => join(folder, name));
        const read = await Promise.all(paths.map((path) => readFileStart(path, longestHeader)));
        suites.push(...read.flatMap((text) => headerIn(text) ?? []));
      }
      return suites;
    },
    async lines(suite) {
      const opened = await openSafeFile(pathOf(suite)).catch(nullIfMissing);
      return opened && readLines(opened.file.createReadStream({ highWaterMark: 256 * 1024 }));
    },
    append: (suite, line) => append(pathOf(suite), headerOf(suite), line),
    replace: (suite, lines) => writeAtomically(pathOf(suite), headerOf(suite) + lines.join('')),
    async deleteUnchanged(beforeMs) {
      for (const name of await files()) {
        const opened = await openSafeFile(join(folder, name)).catch(() => null);
        await opened?.file.close();
        if (opened && opened.stats.mtimeMs < beforeMs) await unlink(join(folder, name));
      }
    },
  };
}

const { O_RDWR, O_APPEND, O_CREAT } = constants;

/** A line that a crash cut off stays by itself and does not spoil the next one. */
async function append(path: string, header: string, line: string): Promise<number> {
  const { file, stats } = await openSafeFile(path, O_RDWR | O_APPEND | O_CREAT);
  try {
    const last = Buffer.alloc(1, newLine);
    if (stats.size > 0) await file.read(last, 0, 1, stats.size - 1);
    const before = stats.size === 0 ? header : last[0] === newLine ? '' : '\n';
    const bytes = Buffer.from(before + line);
    await file.appendFile(bytes);
    return stats.size + bytes.length;
  } finally {
    await file.close();
  }
}

const headerOf = (suite: HistorySuite): string => `${JSON.stringify({ v: 1, ...suite })}\n`;

function headerIn(text: string | null): HistorySuite | null {
  try {
    const { v, repository, suite, repositoryName } = JSON.parse(text?.split('\n', 1)[0] ?? '');
    return v === 1 ? { repository, suite, repositoryName } : null;
  } catch {
    return null;
  }
}
