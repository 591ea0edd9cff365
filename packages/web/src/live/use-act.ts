import { useState } from 'react';
import { asProblem, type Problem } from './problem.ts';

/** One thing a person does: busy while it runs, and the refusal where it was caused. Nothing typed is ever lost. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { act, busy, problem, setProblem };
}
