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
  /** Takes facts in. What they changed is with the system before this returns, so that a killed process loses nothing. */
  observe(facts: readonly FinishedScenario[]): void;
  /** On the disk, for when the machine itself goes down. Clears away what is past, once that is most of the file. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** A publisher may name scenarios without end, and their verdicts are read again at each start. */
const shareOfHeap = 1 / 8;

/**
 * The newest verdicts in a file of their own, so that they outlive the archives of their runs and a start need not read
 * those. Changes are appended; the file is written anew once most of it is past.
 */
export async function openVerdictJournal(
  path: string,
  say: (line: string) => void,
  mostBytes = getHeapStatistics().heap_size_limit * shareOfHeap,
): Promise<VerdictJournal> {
  const latest = createLatestVerdicts(mostBytes);
  let bad = 0;
  const file = await CompactedLines.open(path, (line) => {
    const read = readVerdict(line);
    if (read) latest.load(read);
    else bad += 1;
  });
  if (bad > 0) say(`${bad} kept verdicts could not be read and are skipped.`);
  const tell = createTeller(latest, say);
  const clearAway = async () => {
    tell.forgotten();
    if (file.lines <= 2 * latest.count() + 1000) return;
    await file.rewrite(() => textsOf([...latest.all()])).catch(tell.notCleared);
  };
  await clearAway();
  return {
    newest: latest.newest,
    all: latest.all,
    observe(facts) {
      const changed = facts.filter((fact) => latest.fold(fact));
      const newest = [...new Set(changed.map(({ uid }) => uid))].flatMap((uid) => latest.newest(uid) ?? []);
      if (newest.length > 0) tell.written(file.append(newest.map(textOf)));
    },
    async flush() {
      await file.flush();
      await clearAway();
    },
    close: () => file.close(),
  };
}

const textOf = (each: Verdict): string => JSON.stringify(each);

function* textsOf(verdicts: readonly Verdict[]): Iterable<string> {
  for (const each of verdicts) yield textOf(each);
}

/** Each trouble is told when it begins. */
function createTeller(latest: LatestVerdicts, say: (line: string) => void) {
  let isFull = false;
  let hasForgotten = false;
  return {
    written(fault: unknown) {
      if (fault && !isFull)
        say(`Verdicts cannot be written (${codeOf(fault)}); they are kept in memory and tried again.`);
      isFull = Boolean(fault);
    },
    notCleared: (fault: unknown) => say(`Verdicts that are past cannot be cleared away (${codeOf(fault)}).`),
    forgotten() {
      if (hasForgotten || latest.forgotten() === 0) return;
      hasForgotten = true;
      say(
        'There are more verdicts than memory has room for; the oldest are forgotten. Run the suites again, or give Node a larger heap.',
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
