import { git, gitRecords } from '../../../files/git.ts';
import { gitBlobs } from '../../../files/git-blobs.ts';
import { isManifest, type Manifest, readManifest } from '../manifests.ts';

/** The newest commit with the trailer of each ref, by the ref in lower case. */
export type Trailers = ReadonlyMap<string, string>;

/** The name of a plan, a slash and the name of a node; longer names are not searched for. */
const longestRef = 100 + 1 + 100;

/** A slice of a string keeps the whole string in memory; a copy does not. */
const copyOf = (part: string): string => Buffer.from(part).toString();

/** Reading a very large history takes minutes the first time; later reads only cover new commits. */
const historyLimits = { timeoutMs: 30 * 60_000, maxBytes: 32 * 1024 * 1024 };

/** Reads the trailers up to a commit; up to `before` it reuses the earlier result. */
export async function trailersIn(
  path: string,
  head: string,
  before?: { sha: string; value: Trailers },
): Promise<Trailers | undefined> {
  const follows = before && (await git(path, ['merge-base', '--is-ancestor', before.sha, head])) !== undefined;
  const range = follows ? [`^${before.sha}`, head] : [head];
  const found = new Map<string, string>();
  const whole = await gitRecords(
    path,
    [
      'log',
      '-z',
      '--no-show-signature',
      '--extended-regexp',
      '--regexp-ignore-case',
      '--grep=^Plan-Node:',
      '--format=%H%n%(trailers:key=Plan-Node,valueonly)',
      ...range,
      '--',
    ],
    (record) => {
      const [commit = '', ...refs] = record.trim().split('\n');
      const sha = copyOf(commit);
      for (const ref of refs) {
        const key = ref.trim().toLowerCase();
        if (key !== '' && key.length <= longestRef && !found.has(key)) found.set(copyOf(key), sha);
      }
    },
    historyLimits,
  );
  if (!whole) return undefined;
  return follows ? new Map([...before.value, ...found]) : found;
}

/** `files` are those that were read; `retry` names one that git could not show, `tooLarge` one that is never read. */
export type Manifests = {
  files: ReadonlyArray<readonly [path: string, manifest: Manifest]>;
  retry: string | null;
  tooLarge: string | null;
  bytes: number;
};

const maxManifests = 500;
const maxListed = 20_000;
const maxManifestBytes = 1024 * 1024;
const maxTotalBytes = 16 * 1024 * 1024;
const listingBytes = 512 * 1024 * 1024;
const readingMs = 60_000;

type Listed = { file: string; blob: string; bytes: number };

/** The committed manifests, those nearest to the root first. */
export async function manifestsIn(path: string, sha: string): Promise<Manifests | undefined> {
  const listed = await listManifests(path, sha);
  if (!listed) return undefined;
  const { chosen, tooLarge } = chooseManifests(listed);
  const ids = chosen.map(({ blob }) => blob);
  const texts: Array<string | undefined> = [];
  for await (const text of gitBlobs(path, ids, { timeoutMs: readingMs })) texts.push(text);
  const files: Array<readonly [string, Manifest]> = [];
  let retry: string | null = null;
  for (const [at, { file }] of chosen.entries()) {
    const text = texts[at];
    if (text === undefined) retry ??= file;
    else files.push([file, await readInSteps(file, text)]);
  }
  return { files, retry, tooLarge, bytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Sizes come with the names, so that nothing large is ever unpacked. */
async function listManifests(path: string, sha: string): Promise<Listed[] | undefined> {
  const listed: Listed[] = [];
  const whole = await gitRecords(
    path,
    ['ls-tree', '-r', '-z', '-l', '--full-tree', sha],
    (record) => {
      const tab = record.indexOf('\t');
      const file = record.slice(tab + 1);
      if (!isManifest(file) || listed.length >= maxListed) return;
      // A line has the mode, the type, the id and, padded with spaces, the size of a file.
      const about = record.slice(0, tab).split(' ');
      const bytes = Number(about.at(-1));
      listed.push({ file, blob: about[2] ?? '', bytes: Number.isFinite(bytes) ? bytes : 0 });
    },
    { maxBytes: listingBytes, timeoutMs: readingMs },
  );
  return whole ? listed : undefined;
}

function chooseManifests(listed: readonly Listed[]): { chosen: Listed[]; tooLarge: string | null } {
  const depth = ({ file }: Listed) => file.split('/').length;
  const chosen: Listed[] = [];
  let tooLarge: string | null = null;
  let total = 0;
  for (const one of listed.toSorted((a, b) => depth(a) - depth(b)).slice(0, maxManifests)) {
    if (one.bytes > maxManifestBytes || total + one.bytes > maxTotalBytes) tooLarge ??= one.file;
    else {
      chosen.push(one);
      total += one.bytes;
    }
  }
  return { chosen, tooLarge };
}

async function readInSteps(file: string, text: string): Promise<Manifest> {
  const reading = readManifest(file, text);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
