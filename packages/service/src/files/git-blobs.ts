import { type GitOptions, startGit } from './git.ts';

const endOfLine = 10;

/**
 * The texts of blobs in the order of their ids, read by one process; undefined for a blob that the clone lacks. Ends
 * early if git ends or times out.
 */
export async function* gitBlobs(
  folder: string,
  ids: readonly string[],
  options: GitOptions,
): AsyncGenerator<string | undefined> {
  const child = await startGit(folder, ['cat-file', '--batch'], { ...options, input: ids.join('\n') });
  if (!child) return;
  child.on('error', () => undefined);
  let held = Buffer.alloc(0);
  try {
    for await (const chunk of child.stdout) {
      held = Buffer.concat([held, chunk]);
      for (let blob = firstBlob(held); blob; blob = firstBlob(held)) {
        yield blob.text;
        held = held.subarray(blob.length);
      }
    }
  } finally {
    child.kill('SIGKILL');
  }
}

/** The format is `<id> blob <bytes>`, a line break, the bytes and a line break; or `<id> missing`. */
function firstBlob(held: Buffer): { text: string | undefined; length: number } | undefined {
  const from = held.indexOf(endOfLine) + 1;
  if (from === 0) return undefined;
  const [, type, bytes] = held.toString('latin1', 0, from - 1).split(' ');
  if (bytes === undefined) return { text: undefined, length: from };
  const to = from + Number(bytes);
  if (held.length <= to) return undefined;
  return { text: type === 'blob' ? held.toString('utf8', from, to) : undefined, length: to + 1 };
}
