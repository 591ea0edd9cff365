import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { writeAtomically } from '../../../files/durable-file.ts';
import { readWholeFile } from '../../../files/safe-file.ts';
import { typeRef } from '../contract.ts';
import { createLatestVerdicts, type FinishedScenario } from '../latest-verdicts.ts';
import type { Verdict, Verdicts } from '../ports.ts';
import { verdictOutcomes } from '../vocabulary.ts';

const verdict = z.object({
  identity: z.string(),
  outcome: z.enum(verdictOutcomes),
  at: z.string(),
  runId: z.string(),
  receivedAt: z.string().optional(),
  touchedTypes: z.array(typeRef).nullable(),
});

export type VerdictJournal = Verdicts & {
  /** Takes facts in. What they changed is with the system before this returns, so that a killed process loses nothing. */
  observe(facts: readonly FinishedScenario[]): void;
  /** On the disk, for when the machine itself goes down. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

const mostBytes = 512 * 1024 * 1024;

/**
 * The newest verdicts in a file of their own, so that they outlive the archives of their runs and a start need not read
 * those. Changes are appended; a start writes the file anew once most of it is past.
 */
export async function openVerdictJournal(path: string, say: (line: string) => void): Promise<VerdictJournal> {
  await mkdir(dirname(path), { recursive: true });
  const { verdicts, lines, bad } = readVerdicts(await contentOf(path, say));
  if (bad > 0) say(`${bad} kept verdicts could not be read and are skipped.`);
  const ledger = createLatestVerdicts(verdicts);
  const size = [...ledger.all()].length;
  if (lines > 2 * size + 1000) await writeAtomically(path, textOf([...ledger.all()]));

  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  let unwritten = Buffer.from(endsMidLine(file) ? '\n' : '');
  let full = false;
  const write = () => {
    try {
      while (unwritten.length > 0) unwritten = unwritten.subarray(writeSync(file, unwritten));
      full = false;
    } catch (error) {
      if (!full) say(`Verdicts cannot be written (${codeOf(error)}); they are kept in memory and tried again.`);
      full = true;
    }
  };
  return {
    newest: ledger.newest,
    all: ledger.all,
    observe(facts) {
      const changed = facts.filter((fact) => ledger.fold(fact));
      if (changed.length === 0) return;
      const text = textOf([...new Set(changed.map(({ uid }) => uid))].flatMap((uid) => ledger.newest(uid) ?? []));
      unwritten = Buffer.concat([unwritten, Buffer.from(text)]);
      write();
    },
    flush: () => promisify(fdatasync)(file),
    async close() {
      write();
      await promisify(fdatasync)(file);
      closeSync(file);
    },
  };
}

const textOf = (verdicts: readonly Verdict[]): string => verdicts.map((each) => `${JSON.stringify(each)}\n`).join('');

async function contentOf(path: string, say: (line: string) => void): Promise<string> {
  try {
    return await readWholeFile(path, mostBytes);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') say(`The kept verdicts cannot be read (${codeOf(error)}).`);
    return '';
  }
}

function readVerdicts(text: string): { verdicts: Verdict[]; lines: number; bad: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const verdicts = lines.flatMap((line) => readVerdict(line) ?? []);
  return { verdicts, lines: lines.length, bad: lines.length - verdicts.length };
}

function readVerdict(line: string): Verdict | null {
  try {
    return verdict.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** True when a crash cut off the last line; a newline must then come before the next one. */
function endsMidLine(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
