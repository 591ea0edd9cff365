import { z } from 'zod';
import { typeRef } from '../contract.ts';
import type { Verdict, Verdicts } from '../ports.ts';
import { outcomes } from '../words.ts';
import { readRegular, writeWhole } from './atomic-file.ts';

const verdict = z.object({
  identity: z.string(),
  outcome: z.enum(outcomes),
  at: z.string(),
  runId: z.string(),
  touchedTypes: z.array(typeRef).nullable(),
});

/**
 * The newest verdicts, kept apart from the archives they came from. It is enough to save them before runs are ejected:
 * all others are folded again from their archives at the next start.
 */
export function verdictFile(path: string, say: (line: string) => void) {
  return {
    async load(): Promise<Verdict[]> {
      try {
        return z.array(verdict).parse(JSON.parse(await readRegular(path, 1024 * 1024 * 1024)));
      } catch (error) {
        const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        if (!missing) say('The kept verdicts cannot be read; verdicts of ejected runs are lost.');
        return [];
      }
    },
    save: (verdicts: Verdicts): Promise<void> => writeWhole(path, `${JSON.stringify([...verdicts.all()])}\n`),
  };
}
