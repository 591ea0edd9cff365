import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readWholeFile } from '../../../files/safe-file.ts';
import { errorCode } from '../../../kernel/error-code.ts';
import type { PlanFile, PlanFiles } from '../ports.ts';

const planFile = /\.(ya?ml|json)$/i;
const maxBytes = 8 * 1024 * 1024;

/** The plan files directly in one directory, sorted by name. A link out of the directory is not followed. */
export function createPlanFiles(path: string): PlanFiles {
  return {
    path,
    async *read() {
      const root = await realpath(path).catch(() => undefined);
      const names = root === undefined ? undefined : await readdir(root).catch(() => undefined);
      if (root === undefined || names === undefined) {
        yield { file: path, unreadable: 'the directory cannot be read; is Service:PlansPath right?' };
        return;
      }
      for (const name of names.filter((one) => planFile.test(one)).sort()) yield await readOne(root, name);
    },
  };
}

async function readOne(root: string, file: string): Promise<PlanFile> {
  try {
    const real = await realpath(join(root, file));
    if (!real.startsWith(root + sep)) return { file, unreadable: 'is a link out of the directory' };
    const { size, ...found } = await stat(real).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
    if (!found.isFile) return { file, unreadable: 'is not a file' };
    if (size > maxBytes) return { file, unreadable: 'is larger than 8 MiB' };
    return { file, text: await readWholeFile(real, maxBytes) };
  } catch (error) {
    return { file, unreadable: `cannot be read (${errorCode(error) ?? 'unknown'})` };
  }
}
