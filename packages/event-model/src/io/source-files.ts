import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { runCooperatively } from '../../../service/src/event-loop/cooperative.ts';
import { jsonInSteps, type Task } from '../../../service/src/event-loop/task.ts';
import { removeDurably, writeAtomically } from '../../../service/src/files/durable-file.ts';
import { readWholeFile } from '../../../service/src/files/safe-file.ts';
import { faultsOf } from '../../../service/src/kernel/shape.ts';
import type { StoredSource } from '../contract.ts';
import { pushedDescriptor } from '../descriptor.ts';
import { type SourceStore, sourceKey, sourceName } from '../sources.ts';

const maxBytes = 64 * 1024 * 1024;
const storedSource = z.object({ source: sourceName, pushedAt: z.iso.datetime(), descriptor: pushedDescriptor });

/** One file per source, named after it, in one directory. `say` logs what could not be read or written. */
export function sourceFiles(directory: string, say: (line: string) => void): SourceStore {
  const path = (source: string) => join(directory, `${sourceKey(sourceName.parse(source))}.json`);
  return {
    async load() {
      const names = (await readdir(directory).catch(() => [])).sort();
      const stale = names.filter((name) => name.startsWith('.') && name.endsWith('.tmp'));
      await Promise.all(stale.map((name) => rm(join(directory, name), { force: true })));
      const files = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'));
      const read = await Promise.all(files.map((name) => readOne(directory, name, say)));
      return read.filter((stored) => stored !== null);
    },
    write(stored) {
      const file = path(stored.source);
      return runCooperatively(textOf(stored))
        .then((text) => writeAtomically(file, text))
        .catch((error) => {
          say(`event-models: source ${stored.source} could not be written (${reason(error)}). Nothing was changed.`);
          throw error;
        });
    },
    remove: (source) => removeDurably(path(source)),
  };
}

/** A source can have megabytes, mostly slices, so they are serialised one at a time. */
function* textOf({ source, pushedAt, descriptor }: StoredSource): Task<string> {
  const model = yield* jsonInSteps(descriptor);
  return `{"source":${JSON.stringify(source)},"pushedAt":${JSON.stringify(pushedAt)},"descriptor":${model}}\n`;
}

async function readOne(directory: string, name: string, say: (line: string) => void): Promise<StoredSource | null> {
  const skip = (why: string) => {
    say(`event-models/${name} is skipped: ${why}. Push that source again to replace it.`);
    return null;
  };
  try {
    const parsed = storedSource.safeParse(JSON.parse(await readWholeFile(join(directory, name), maxBytes)));
    if (!parsed.success) return skip(faultsOf(parsed.error).map((fault) => `${fault.path}: ${fault.message}`)[0] ?? '');
    return `${sourceKey(parsed.data.source)}.json` === name
      ? parsed.data
      : skip('its file name is not the name of its source');
  } catch (error) {
    return skip(error instanceof SyntaxError ? 'it is not JSON' : reason(error));
  }
}

/** Prefers the error code, because a system message contains the path. */
const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
};
