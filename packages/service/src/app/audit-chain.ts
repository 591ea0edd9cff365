import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { nullIfMissing } from '../files/durable-file.ts';
import { readLines } from '../files/read-lines.ts';
import { requireRegularFile } from '../files/regular-file.ts';
import { openSafeFile } from '../files/safe-file.ts';
import type { AuditEntry } from '../kernel/audit.ts';

export const auditFile = 'audit.ndjson';

/** The rotated files, newest first. */
export const asideFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^audit-[\dTZ.-]+\.ndjson$/.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .reverse();

const longestRef = 256;

/** Escapes everything but printable characters, so that no line can hide text. */
export function shortRef(ref: string | null): string | null {
  const escaped = ref?.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
  return escaped === undefined ? null : escaped.slice(0, longestRef);
}

const hashMember = /,"hash":"([\w-]{43})"\}$/;
const hashOver = (before: string, content: string): string =>
  createHash('sha256').update(`${before}\n${content}`).digest('base64url');

/** A line with a hash over itself and the line before, which reveals changed, removed and inserted lines. */
export function chainedLine(entry: AuditEntry, before: string): { line: string; hash: string } {
  const content = JSON.stringify(entry);
  const hash = hashOver(before, content);
  return { line: `${content.slice(0, -1)},"hash":"${hash}"}\n`, hash };
}

export function entryOf(line: string): AuditEntry | undefined {
  try {
    const { hash: _, ...entry }: AuditEntry & { hash?: string } = JSON.parse(line);
    return entry;
  } catch {
    return undefined;
  }
}

const tailBytes = 64 * 1024;

/** The hash of the newest line that has one. */
export function newestHash(folder: string): string | undefined {
  for (const name of [auditFile, ...asideFiles(folder)]) {
    const hash = tailOf(join(folder, name))
      .split('\n')
      .findLast((line) => hashMember.test(line))
      ?.match(hashMember)?.[1];
    if (hash !== undefined) return hash;
  }
  return undefined;
}

function tailOf(path: string): string {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(file);
  }
}

/** `unhashed` lines were written before lines had hashes, `torn` lines were cut off by a crash. `broken` lists where the chain breaks. */
export type AuditVerdict = { lines: number; unhashed: number; torn: number; since: string | null; broken: string[] };

async function* linesOf(path: string): AsyncGenerator<string> {
  requireRegularFile(path);
  const opened = await openSafeFile(path).catch(nullIfMissing);
  if (opened) for await (const lines of readLines(opened.file.createReadStream())) yield* lines;
}

/** Reads all files of the audit, oldest first, and follows the hashes. Files that were deleted by age do not count as missing. */
export async function verifyAudit(folder: string): Promise<AuditVerdict> {
  const verdict: AuditVerdict = { lines: 0, unhashed: 0, torn: 0, since: null, broken: [] };
  let before: string | undefined;
  for (const name of [...asideFiles(folder).reverse(), auditFile]) {
    let number = 0;
    for await (const line of linesOf(join(folder, name))) {
      number += 1;
      if (line === '') continue;
      const entry = entryOf(line);
      if (!entry) verdict.torn += 1;
      else if (!hashMember.test(line)) {
        verdict.unhashed += 1;
        // Lines without a hash come before all lines that have one.
        if (before !== undefined) verdict.broken.push(`${name}:${number} has no hash`);
      } else {
        verdict.lines += 1;
        verdict.since ??= entry.at;
        const hash = hashMember.exec(line)?.[1] ?? '';
        const expected = before === undefined ? hash : hashOver(before, line.replace(hashMember, '}'));
        if (hash !== expected)
          verdict.broken.push(`${name}:${number} (${entry.at}) does not follow the line before it`);
        before = hash;
      }
    }
  }
  return verdict;
}
