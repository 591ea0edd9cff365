import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { CompactedLines } from '../../../service/src/files/compacted-lines.ts';
import { typeRef } from '../contract.ts';
import {
  createLatestVerdicts,
  type FinishedScenario,
  type LatestVerdicts,
  type Verdict,
  type Verdicts,
} from '../verdicts.ts';
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
  /** Changes are written to the file before it returns, so that a killed process loses nothing. */
  observe(finished: readonly FinishedScenario[]): void;
  /** Flushes to disk, against a power failure. Compacts the file if most of its lines are outdated. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** Bounds the memory: a publisher can name any number of scenarios, and all verdicts are read at start. */
const shareOfHeap = 1 / 8;

/**
 * The newest verdicts in a separate file, so that they outlive the archives of their runs and a start need not read
 * those. Changes are appended; the file is rewritten once most of its lines are outdated.
 */
export async function openVerdictJournal(
  path: string,
  say: (line: string) => void,
  maxBytes = getHeapStatistics().heap_size_limit * shareOfHeap,
): Promise<VerdictJournal> {
  const latest = createLatestVerdicts(maxBytes);
  let unreadable = 0;
  const file = await CompactedLines.open(path, (line) => {
    const read = readVerdict(line);
    if (read) latest.load(read);
    else unreadable += 1;
  });
  if (unreadable > 0)
    say(`${unreadable === 1 ? '1 stored verdict was' : `${unreadable} stored verdicts were`} unreadable and skipped.`);
  const problems = createProblemLog(latest, say);
  const compact = async () => {
    problems.dropped();
    if (file.lines <= 2 * latest.count() + 1000) return;
    await file.rewrite(() => textsOf([...latest.all()])).catch(problems.notCompacted);
  };
  await compact();
  return {
    newest: latest.newest,
    all: latest.all,
    observe(finished) {
      const changed = finished.filter((each) => latest.fold(each));
      const newest = [...new Set(changed.map(({ uid }) => uid))].flatMap((uid) => latest.newest(uid) ?? []);
      if (newest.length > 0) problems.written(file.append(newest.map(textOf)));
    },
    async flush() {
      await file.flush();
      await compact();
    },
    close: () => file.close(),
  };
}

const textOf = (each: Verdict): string => JSON.stringify(each);

function* textsOf(verdicts: readonly Verdict[]): Iterable<string> {
  for (const each of verdicts) yield textOf(each);
}

/** Logs each problem once, when it begins. */
function createProblemLog(latest: LatestVerdicts, say: (line: string) => void) {
  let isFailing = false;
  let isDropping = false;
  return {
    written(fault: unknown) {
      if (fault && !isFailing)
        say(`Verdicts cannot be written (${codeOf(fault)}). They are kept in memory and written again later.`);
      isFailing = Boolean(fault);
    },
    notCompacted: (fault: unknown) => say(`The file of verdicts could not be compacted (${codeOf(fault)}).`),
    dropped() {
      if (isDropping || latest.dropped() === 0) return;
      isDropping = true;
      say(
        'The verdicts exceed their share of memory; the oldest were dropped. Run the suites again, or give Node a larger heap.',
      );
    },
  };
}

function readVerdict(line: string): Verdict | null {
  try {
    return verdict.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
